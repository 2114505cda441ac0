//! How well a surrogate reproduces held-back predictions.

use std::collections::BTreeMap;

use super::measures::{mean, r2};

/// Lower bounds of the labels.
const HIGH: f64 = 0.9;
const MODERATE: f64 = 0.75;
const LOW: f64 = 0.5;
/// Minimum R2 for a series to count as reproduced.
const REPRODUCED: f64 = 0.8;

/// How well a surrogate reproduces held-back predictions, all divided by their scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Fidelity {
    /// Share of the variance of the predictions that is reproduced, at most 1.
    pub r2: f64,
    /// Root mean squared difference over the mean absolute prediction.
    pub nrmse: f64,
    /// Share of the series with an R2 above .8, among those whose predictions vary; none without series.
    pub reproduced_series: Option<f64>,
    /// Share of the changes between neighbouring rows of a series and fold group with the right sign; none without
    /// series.
    pub same_direction: Option<f64>,
    /// R2 of the predictions and of the surrogate against the actual values; none if these are unknown.
    pub accuracy: Option<Accuracy>,
    /// The label of `r2`.
    pub label: FidelityLabel,
    /// Number of folds held back.
    pub folds: usize,
}

/// R2 against the actual values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// R2 of the predictions.
    pub predictions: f64,
    /// R2 of the surrogate on held-back rows.
    pub surrogate: f64,
}

/// The label of an R2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FidelityLabel {
    /// At least .9.
    High,
    /// At least .75.
    Moderate,
    /// At least .5: importance only, no values for single rows.
    Low,
}

impl FidelityLabel {
    /// None if the R2 is too low for any result.
    pub(super) fn of(r2: f64) -> Option<Self> {
        let labels = [(HIGH, Self::High), (MODERATE, Self::Moderate), (LOW, Self::Low)];
        labels.into_iter().find(|(least, _)| r2 >= *least).map(|(_, label)| label)
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Moderate => "moderate",
            Self::Low => "low",
        }
    }
}

/// The data by which a fidelity is judged, one value per row.
pub(super) struct Judged<'a> {
    pub(super) predictions: &'a [f64],
    /// Predictions of the surrogate for rows that it did not learn from.
    pub(super) held_back: &'a [f64],
    pub(super) actuals: Option<&'a [f64]>,
    pub(super) series: Option<&'a [u32]>,
    pub(super) fold_groups: Option<&'a [u32]>,
    pub(super) folds: usize,
}

impl Fidelity {
    /// None if the surrogate is not good enough for any result.
    pub(super) fn of(judged: &Judged<'_>) -> Option<Self> {
        let (predictions, held_back) = (judged.predictions, judged.held_back);
        let r2 = r2(predictions, held_back)?;
        let squares: Vec<f64> = predictions.iter().zip(held_back).map(|(a, b)| (a - b).powi(2)).collect();
        let size = mean(&predictions.iter().map(|value| value.abs()).collect::<Vec<_>>());
        Some(Self {
            r2,
            nrmse: mean(&squares).sqrt() / size,
            reproduced_series: judged.series.and_then(|series| reproduced_series(judged, series)),
            same_direction: judged.series.and_then(|series| same_direction(judged, series)),
            accuracy: judged.actuals.and_then(|actuals| accuracy(judged, actuals)),
            label: FidelityLabel::of(r2)?,
            folds: judged.folds,
        })
    }
}

fn rows_of_series(series: &[u32]) -> BTreeMap<u32, Vec<usize>> {
    let mut rows: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    series.iter().enumerate().for_each(|(row, &id)| rows.entry(id).or_default().push(row));
    rows
}

fn reproduced_series(judged: &Judged<'_>, series: &[u32]) -> Option<f64> {
    let pick = |values: &[f64], rows: &[usize]| rows.iter().map(|&row| values[row]).collect::<Vec<f64>>();
    let one = |rows: &Vec<usize>| r2(&pick(judged.predictions, rows), &pick(judged.held_back, rows));
    let found: Vec<f64> = rows_of_series(series).values().filter_map(one).collect();
    let reproduced = found.iter().filter(|&&r2| r2 > REPRODUCED).count();
    (!found.is_empty()).then(|| reproduced as f64 / found.len() as f64)
}

fn same_direction(judged: &Judged<'_>, series: &[u32]) -> Option<f64> {
    let is_together =
        |pair: &[usize]| judged.fold_groups.is_none_or(|groups| groups[pair[0]] == groups[pair[1]]);
    let change = |values: &[f64], pair: &[usize]| values[pair[1]] - values[pair[0]];
    let (mut same, mut all) = (0_usize, 0_usize);
    for rows in rows_of_series(series).values() {
        for pair in rows.windows(2).filter(|pair| is_together(pair)) {
            let (wanted, found) = (change(judged.predictions, pair), change(judged.held_back, pair));
            if wanted != 0.0 {
                all += 1;
                same += usize::from(wanted * found > 0.0);
            }
        }
    }
    (all > 0).then(|| same as f64 / all as f64)
}

fn accuracy(judged: &Judged<'_>, actuals: &[f64]) -> Option<Accuracy> {
    let known: Vec<usize> = (0..actuals.len()).filter(|&row| actuals[row].is_finite()).collect();
    let pick = |values: &[f64]| known.iter().map(|&row| values[row]).collect::<Vec<f64>>();
    let actuals = pick(actuals);
    Some(Accuracy {
        predictions: r2(&actuals, &pick(judged.predictions))?,
        surrogate: r2(&actuals, &pick(judged.held_back))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_begin_at_their_bounds() {
        assert_eq!(FidelityLabel::of(0.9), Some(FidelityLabel::High));
        assert_eq!(FidelityLabel::of(0.899), Some(FidelityLabel::Moderate));
        assert_eq!(FidelityLabel::of(0.75), Some(FidelityLabel::Moderate));
        assert_eq!(FidelityLabel::of(0.5), Some(FidelityLabel::Low));
        assert_eq!(FidelityLabel::of(0.499), None);
        assert_eq!(FidelityLabel::of(f64::NAN), None);
    }

    #[test]
    fn series_and_steps_are_judged_within_series_and_origin() {
        // Series 1 is reproduced, series 2 goes the wrong way in its second origin, series 3 never moves.
        let judged = Judged {
            predictions: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 7.0],
            held_back: &[1.0, 2.1, 2.9, 5.0, 5.5, 4.0, 7.0, 7.1],
            actuals: Some(&[1.0, 2.0, 3.0, 4.0, 5.0, f64::NAN, f64::NAN, f64::NAN]),
            series: Some(&[1, 1, 1, 2, 2, 2, 3, 3]),
            fold_groups: Some(&[0, 0, 0, 0, 1, 1, 0, 0]),
            folds: 2,
        };
        let fidelity = Fidelity::of(&judged).unwrap();
        assert_eq!(fidelity.reproduced_series, Some(0.5));
        // Changes: two of series 1, one of series 2 in its second origin, none of series 3.
        assert_eq!(fidelity.same_direction, Some(2.0 / 3.0));
        assert_eq!(fidelity.accuracy.map(|accuracy| accuracy.predictions), Some(1.0));
        let mean_square = (0.01 + 0.01 + 1.0 + 0.25 + 4.0 + 0.01) / 8.0_f64;
        assert!((fidelity.nrmse - mean_square.sqrt() / 4.375).abs() < 1e-12);
    }
}
