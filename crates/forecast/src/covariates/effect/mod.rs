//! The effect of regressors on a series, for models that cannot take regressors themselves.
//!
//! The coefficients come from a regression of changes on changes, over a season where there is one, so that neither
//! trend nor season is mistaken for an effect. Its errors are modelled as autoregressive of order one (Cochrane &
//! Orcutt 1949, "Application of least squares regression to relationships containing auto-correlated error terms"), so
//! slow drift does not count as proof of an effect. A numeric column may bend at its median, as demand does with
//! temperature. Straight or bent columns count only if they lower the Bayesian information criterion. A richer
//! [`response`] replaces them if it proves better. The effect is subtracted from the history before the models see it
//! and added back to their forecasts.

mod basis;
mod moments;
mod response;

use tabcast_statistics::solve_positive_definite;

/// Each coefficient needs at least this many changes.
const CHANGES_PER_COLUMN: usize = 5;
/// The ridge, as a fraction of the mean variance of the columns' changes; it keeps a regression with collinear columns
/// solvable.
const RIDGE: f64 = 1e-3;
/// Upper limit of the errors' autocorrelation; at 1 only single changes would count.
const MAX_CORRELATION: f64 = 0.98;
/// A column with fewer distinct values is a class, and classes do not bend.
const FEWEST_TO_BEND: usize = 8;

/// The part of each step that the regressors explain, without its mean over the history.
#[derive(Debug)]
pub(crate) struct Effect {
    /// One value a step of the history, then of the horizon.
    steps: Vec<f64>,
    length: usize,
    /// Whether the effect has a shape that models with regressors of their own cannot find.
    shaped: bool,
}

/// Steps older than this no longer inform the effect.
pub(crate) const LONGEST_EXPLAINED: usize = 20_000;

impl Effect {
    /// The effect on the last `count` values, at most `LONGEST_EXPLAINED`, and on the steps ahead. A shaped response is
    /// learned from all values. `periods` are the season lengths, ascending. None when the regressors explain nothing.
    pub(crate) fn learn(
        values: &[f64],
        columns: &[Vec<f64>],
        (season, periods): (usize, &[usize]),
        count: usize,
    ) -> Option<Self> {
        if columns.is_empty() {
            return None;
        }
        let cut =
            |from: usize| -> Vec<Vec<f64>> { columns.iter().map(|column| column[from..].to_vec()).collect() };
        let older = values.len().saturating_sub(LONGEST_EXPLAINED);
        let (long, known) = (&values[older..], cut(older));
        let simple = Self::of(long, &known, season);
        let shaped = response::respond(long, &known, periods, simple.as_ref().map(|effect| &*effect.steps));
        let earlier = values.len() - count;
        let Some(mut steps) = shaped else {
            // An effect that changes over the years is best estimated on the last ones.
            return if earlier > 0 { Self::of(&values[earlier..], &cut(earlier), season) } else { simple };
        };
        steps.drain(..earlier - older);
        centre(&mut steps, count);
        Some(Self { steps, length: count, shaped: true })
    }

    /// Whether models should ignore the regressors and see the history without the effect.
    pub(crate) fn is_shaped(&self) -> bool {
        self.shaped
    }

    /// `columns` hold a value for each of the values and for at least one step ahead. None when the regressors explain
    /// nothing.
    pub(crate) fn of(values: &[f64], columns: &[Vec<f64>], season: usize) -> Option<Self> {
        if columns.is_empty() {
            return None;
        }
        let lag = if season > 1 && values.len() >= 3 * season { season } else { 1 };
        let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let targets = centred_changes(values, lag, largest);
        let mut straight: Vec<Column> = Vec::new();
        let mut bends: Vec<Column> = Vec::new();
        for column in columns {
            straight.extend(Column::of(column.clone(), values.len(), lag));
            bends.extend(bend(column, values.len()).and_then(|column| Column::of(column, values.len(), lag)));
        }
        let nothing = innovations(&targets, correlation(&targets));
        let mut best = (sum_of_squares(&nothing).ln() * nothing.len() as f64, Vec::new());
        let mut candidates = straight;
        for more in [Vec::new(), bends] {
            candidates.extend(more);
            if let Some((criterion, coefficients)) = explain(&targets, &candidates)
                && criterion < best.0
            {
                best = (criterion, coefficients);
            }
        }
        let (_, coefficients) = best;
        if coefficients.is_empty() {
            return None;
        }
        let steps_known = columns.iter().map(Vec::len).min().unwrap_or(0);
        let mut steps: Vec<f64> = (0..steps_known)
            .map(|step| {
                let sum: f64 = candidates
                    .iter()
                    .zip(&coefficients)
                    .map(|(column, b)| b * (column.values[step] / column.unit))
                    .sum();
                sum * largest
            })
            .collect();
        centre(&mut steps, values.len());
        let finite = steps.iter().all(|step| step.is_finite());
        finite.then_some(Self { steps, length: values.len(), shaped: false })
    }

    /// The history without the effect.
    pub(crate) fn remove(&self, values: &[f64]) -> Vec<f64> {
        values.iter().zip(&self.steps).map(|(value, effect)| value - effect).collect()
    }

    /// The effect on a step ahead, 0 for the first; beyond the known steps, that of the last one.
    pub(crate) fn ahead(&self, step: usize) -> f64 {
        self.steps[(self.length + step).min(self.steps.len() - 1)]
    }
}

/// Subtracts the mean over the history.
fn centre(steps: &mut [f64], length: usize) {
    let mean = steps[..length].iter().map(|step| step / length as f64).sum::<f64>();
    for step in steps {
        *step -= mean;
    }
}

/// A regressor in the regression.
struct Column {
    values: Vec<f64>,
    /// The largest absolute value, the unit of the changes.
    unit: f64,
    changes: Vec<f64>,
}

impl Column {
    /// None for a column that does not change over the history.
    fn of(values: Vec<f64>, length: usize, lag: usize) -> Option<Self> {
        let unit = values.iter().fold(0.0_f64, |unit, value| unit.max(value.abs()));
        let changes = centred_changes(&values[..length], lag, unit);
        changes.iter().any(|change| *change != 0.0).then_some(Self { values, unit, changes })
    }
}

/// How far a column exceeds its median over the history; together with the column itself it gives a line that bends
/// there.
fn bend(column: &[f64], length: usize) -> Option<Vec<f64>> {
    let mut sorted = column[..length].to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let median = sorted[length / 2];
    sorted.dedup();
    (sorted.len() >= FEWEST_TO_BEND).then(|| column.iter().map(|value| (value - median).max(0.0)).collect())
}

/// The Bayesian information criterion of the regression of the targets on the columns, and its coefficients; None if it
/// cannot be solved.
fn explain(targets: &[f64], columns: &[Column]) -> Option<(f64, Vec<f64>)> {
    if columns.is_empty() || targets.len() < CHANGES_PER_COLUMN * (columns.len() + 1) {
        return None;
    }
    let rest = |coefficients: &[f64]| -> Vec<f64> {
        (0..targets.len())
            .map(|step| {
                let fitted: f64 =
                    columns.iter().zip(coefficients).map(|(column, b)| b * column.changes[step]).sum();
                targets[step] - fitted
            })
            .collect()
    };
    let changes: Vec<&[f64]> = columns.iter().map(|column| column.changes.as_slice()).collect();
    let rho = correlation(&rest(&regress(targets, &changes)?));
    let whitened: Vec<Vec<f64>> = changes.iter().map(|changes| innovations(changes, rho)).collect();
    let whitened: Vec<&[f64]> = whitened.iter().map(Vec::as_slice).collect();
    let coefficients = regress(&innovations(targets, rho), &whitened)?;
    let errors = innovations(&rest(&coefficients), rho);
    let count = errors.len() as f64;
    // The floor keeps the logarithm finite when almost everything is explained.
    let squares = sum_of_squares(&errors).max(sum_of_squares(targets) * 1e-12);
    Some((count * squares.ln() + columns.len() as f64 * count.ln(), coefficients))
}

fn sum_of_squares(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

/// The autocorrelation at lag one, clamped to 0 to `MAX_CORRELATION`.
fn correlation(errors: &[f64]) -> f64 {
    let products: f64 = errors.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let squares = sum_of_squares(errors);
    if squares > 0.0 { (products / squares).clamp(0.0, MAX_CORRELATION) } else { 0.0 }
}

/// The part of each value that `rho` times the previous value does not explain.
fn innovations(values: &[f64], rho: f64) -> Vec<f64> {
    values.windows(2).map(|pair| pair[1] - rho * pair[0]).collect()
}

/// Changes over `lag` steps in units of `unit`, without their mean; all zero if the unit is zero.
fn centred_changes(values: &[f64], lag: usize, unit: f64) -> Vec<f64> {
    let changes: Vec<f64> = values
        .iter()
        .zip(values.iter().skip(lag))
        .map(|(before, now)| if unit > 0.0 { now / unit - before / unit } else { 0.0 })
        .collect();
    let mean = changes.iter().sum::<f64>() / changes.len().max(1) as f64;
    // A pure trend is no change.
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

    /// A wave on a trend, with an effect of -3 per unit of a regressor that comes and goes.
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
    fn a_column_may_bend_at_its_median() {
        let regressor: Vec<f64> = (0..130).map(|t: u32| f64::from(t * 7 % 31) - 15.0).collect();
        let values: Vec<f64> =
            (0..120).map(|t| 10.0 + regressor[t].max(0.0) + (t as f64 * 0.9).sin()).collect();
        let effect = Effect::of(&values, std::slice::from_ref(&regressor), 1).expect("an effect");
        for step in 0..10 {
            let difference = effect.ahead(step) - effect.steps[0];
            let expected = regressor[120 + step].max(0.0) - regressor[0].max(0.0);
            assert!((difference - expected).abs() < 1.5, "step {step}: {difference} instead of {expected}");
        }
    }

    /// Two random walks look related if the autocorrelation of their errors is ignored.
    #[test]
    fn a_walk_explains_no_other_walk() {
        let mut state = 1_u64;
        let mut walk = |length: usize| -> Vec<f64> {
            let mut level = 0.0;
            (0..length)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    level += (state >> 40) as f64 / f64::from(1_u32 << 23) - 1.0;
                    level
                })
                .collect()
        };
        let found = (0..100).filter(|_| Effect::of(&walk(240), &[walk(252)], 12).is_some()).count();
        assert!(found <= 10, "{found} of 100");
    }

    #[test]
    fn repeated_columns_share_the_effect() {
        let (values, regressor) = series();
        let one = Effect::of(&values, std::slice::from_ref(&regressor), 1).expect("an effect");
        let two = Effect::of(&values, &[regressor.clone(), regressor], 1).expect("an effect");
        assert!((one.ahead(3) - two.ahead(3)).abs() < 0.05);
    }
}
