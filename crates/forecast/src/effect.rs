//! What regressors explain of a series, for the models that cannot take them themselves.
//!
//! The coefficients come from a regression of changes on changes, over a season where there is one, so that neither trend nor
//! season is mistaken for an effect; they count only when they lower the Bayesian information criterion. The effect is taken
//! off the history before the models see it, and put back on their forecasts.

use tabcast_statistics::solve_positive_definite;

/// Each coefficient needs at least this many changes.
const CHANGES_PER_COLUMN: usize = 5;
/// The ridge, as a part of the mean variance of the columns' changes: keeps columns that repeat each other solvable.
const RIDGE: f64 = 1e-3;

/// What the regressors explain at each step, without its mean over the history.
#[derive(Debug)]
pub(crate) struct Effect {
    /// One value a step of the history, then of the horizon.
    steps: Vec<f64>,
    length: usize,
}

impl Effect {
    /// `columns` hold a value for each of the values and at least one more. None when the regressors explain nothing.
    pub(crate) fn of(values: &[f64], columns: &[Vec<f64>], season: usize) -> Option<Self> {
        if columns.is_empty() {
            return None;
        }
        let lag = if season > 1 && values.len() >= 3 * season { season } else { 1 };
        let count = values.len().saturating_sub(lag);
        let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let targets = centred_changes(values, lag, largest);
        let mut scaled = Vec::new();
        for column in columns {
            let bound = column.iter().fold(0.0_f64, |bound, value| bound.max(value.abs()));
            let changes = centred_changes(&column[..values.len()], lag, bound);
            if changes.iter().any(|change| *change != 0.0) {
                scaled.push((column, bound, changes));
            }
        }
        if scaled.is_empty() || count < CHANGES_PER_COLUMN * (scaled.len() + 1) {
            return None;
        }
        let coefficients =
            regress(&targets, &scaled.iter().map(|(_, _, changes)| changes.as_slice()).collect::<Vec<_>>())?;
        let before: f64 = targets.iter().map(|target| target * target).sum();
        let after: f64 = (0..count)
            .map(|step| {
                let fitted: f64 =
                    scaled.iter().zip(&coefficients).map(|((_, _, changes), b)| b * changes[step]).sum();
                (targets[step] - fitted).powi(2)
            })
            .sum();
        let gain = count as f64 * (after.max(before * 1e-12) / before).ln()
            + scaled.len() as f64 * (count as f64).ln();
        if gain.is_nan() || gain >= 0.0 {
            return None;
        }
        let steps_known = scaled.iter().map(|(column, ..)| column.len()).min().unwrap_or(0);
        let mut steps: Vec<f64> = (0..steps_known)
            .map(|step| {
                let sum: f64 = scaled
                    .iter()
                    .zip(&coefficients)
                    .map(|((column, bound, _), b)| b * (column[step] / bound))
                    .sum();
                sum * largest
            })
            .collect();
        let mean = steps[..values.len()].iter().map(|step| step / values.len() as f64).sum::<f64>();
        for step in &mut steps {
            *step -= mean;
        }
        let finite = steps.iter().all(|step| step.is_finite());
        finite.then_some(Self { steps, length: values.len() })
    }

    /// The history without the effect.
    pub(crate) fn remove(&self, values: &[f64]) -> Vec<f64> {
        values.iter().zip(&self.steps).map(|(value, effect)| value - effect).collect()
    }

    /// The effect on a step ahead, 0 for the first; beyond what is known, that of the last known step.
    pub(crate) fn ahead(&self, step: usize) -> f64 {
        self.steps[(self.length + step).min(self.steps.len() - 1)]
    }
}

/// Changes over `lag` steps in units of `unit`, without their mean; all zero where the unit is.
fn centred_changes(values: &[f64], lag: usize, unit: f64) -> Vec<f64> {
    let changes: Vec<f64> = values
        .iter()
        .zip(values.iter().skip(lag))
        .map(|(before, now)| if unit > 0.0 { now / unit - before / unit } else { 0.0 })
        .collect();
    let mean = changes.iter().sum::<f64>() / changes.len().max(1) as f64;
    // A trend alone is no change.
    let spread = changes.iter().fold(0.0_f64, |spread, change| spread.max((change - mean).abs()));
    changes.iter().map(|change| if spread > 1e-12 { change - mean } else { 0.0 }).collect()
}

/// Ridge regression without a constant.
fn regress(targets: &[f64], columns: &[&[f64]]) -> Option<Vec<f64>> {
    let order = columns.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut matrix = vec![0.0; order * order];
    for row in 0..order {
        for other in 0..=row {
            matrix[row * order + other] = dot(columns[row], columns[other]);
        }
    }
    for row in 0..order {
        matrix[row * order + row] *= 1.0 + RIDGE;
    }
    let mut right: Vec<f64> = columns.iter().map(|column| dot(column, targets)).collect();
    solve_positive_definite(&mut matrix, &mut right).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wave on a trend, with an effect of -3 a unit of a regressor that comes and goes.
    fn series() -> (Vec<f64>, Vec<f64>) {
        let regressor: Vec<f64> = (0..72).map(|t: u32| f64::from(u8::from(t * t % 11 < 3))).collect();
        let values = (0..60)
            .map(|t| 40.0 + 0.2 * t as f64 + 2.0 * (t as f64 * 0.7).sin() - 3.0 * regressor[t])
            .collect();
        (values, regressor)
    }

    #[test]
    fn an_effect_is_found_and_taken_off() {
        let (values, regressor) = series();
        let effect = Effect::of(&values, std::slice::from_ref(&regressor), 1).expect("an effect");
        for step in 0..12 {
            let difference = effect.ahead(step) - effect.steps[0];
            let expected = -3.0 * (regressor[60 + step] - regressor[0]);
            assert!((difference - expected).abs() < 0.4, "step {step}: {difference} instead of {expected}");
        }
        let rest = effect.remove(&values);
        let change = |values: &[f64]| values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum::<f64>();
        assert!(change(&rest) < 0.7 * change(&values));
    }

    #[test]
    fn columns_that_explain_nothing_have_no_effect() {
        let (values, _) = series();
        let noise: Vec<f64> = (0..72_u32).map(|t| f64::from(t * t * 7 % 13)).collect();
        let constant = vec![1.0; 72];
        let trend: Vec<f64> = (0..72_u32).map(f64::from).collect();
        for column in [noise, constant, trend] {
            assert!(Effect::of(&values, &[column], 1).is_none());
        }
        assert!(
            Effect::of(&values[..6], &[vec![0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0]], 1).is_none(),
            "too short"
        );
    }

    #[test]
    fn repeated_columns_share_the_effect() {
        let (values, regressor) = series();
        let one = Effect::of(&values, std::slice::from_ref(&regressor), 1).expect("an effect");
        let two = Effect::of(&values, &[regressor.clone(), regressor], 1).expect("an effect");
        assert!((one.ahead(3) - two.ahead(3)).abs() < 0.05);
    }
}
