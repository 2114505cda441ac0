//! A shaped response to regressors, kept only if it proves itself on parts of the history that it was not learned from.
//!
//! Changes over the longest season with enough cycles are regressed on those of a [`Basis`]. The number of stages and
//! the ridge are chosen by the squared errors on stretches of the history, each forecast with the coefficients of the
//! others (Bergmeir and Benítez, On the use of cross-validation for time series predictor evaluation, Information
//! Sciences 191 (2012)). A simpler effect stays unless the response does better on nearly all stretches. The test
//! compares ratios, because one hot summer would outweigh everything else in sums.

use std::ops::Range;

use super::basis::Basis;
use super::centred_changes;
use super::moments::{Moments, Regressor, dot};

/// Stretches into which the history is divided.
const STRETCHES: usize = 8;
/// The 95 % quantile of Student's t with 7 degrees of freedom.
const PROOF: f64 = 1.895;
/// Ridges, as fractions of the variance of the columns' changes.
const RIDGES: [f64; 4] = [1e-4, 1e-3, 1e-2, 1e-1];
/// Each column needs at least this many changes.
const CHANGES_PER_COLUMN: usize = 10;
/// Maximum number of columns: the work grows with its square.
const MOST_COLUMNS: usize = 80;
/// A season must repeat this often, or there are too few changes over it.
const FEWEST_CYCLES: usize = 4;
/// Errors below this fraction of the sum to explain count as zero.
const NO_ERROR: f64 = 1e-12;

/// The effect of the regressors at each step where they are known. `simple` is the simpler effect to beat; `periods`
/// are the season lengths, ascending. None when the simpler effect stays.
pub(super) fn respond(
    values: &[f64],
    given: &[Vec<f64>],
    periods: &[usize],
    simple: Option<&[f64]>,
) -> Option<Vec<f64>> {
    let lag = periods.iter().copied().rfind(|period| values.len() >= FEWEST_CYCLES * period).unwrap_or(1);
    let season = periods.first().copied().filter(|season| *season <= lag).unwrap_or(1);
    let changes = values.len().saturating_sub(lag);
    let basis = Basis::of(given, values.len(), season, (changes / CHANGES_PER_COLUMN).min(MOST_COLUMNS));
    if basis.stages.is_empty() {
        return None;
    }
    let largest = largest(values);
    let targets = centred_changes(values, lag, largest);
    let regressors: Vec<Regressor> = basis
        .columns
        .iter()
        .map(|column| {
            let unit = self::largest(&column[..values.len()]);
            Regressor::new(centred_changes(&column[..values.len()], lag, unit), unit)
        })
        .collect();
    let stretches: Vec<Range<usize>> = (0..STRETCHES)
        .map(|stretch| stretch * changes / STRETCHES..(stretch + 1) * changes / STRETCHES)
        .collect();
    let moments: Vec<Moments> =
        stretches.iter().map(|stretch| Moments::of(&targets, &regressors, stretch.clone())).collect();
    let whole = Moments::sum(&moments);
    let Choice { count, ridge, errors } = choose(&whole, &moments, &basis.stages, changes)?;
    let explained = simple.map(|steps| centred_changes(&steps[..values.len()], lag, largest));
    let now = errors_of(&targets, explained.as_deref(), &stretches);
    if !is_proven(&now, &errors, NO_ERROR * whole.targets()) {
        return None;
    }
    let coefficients = whole.solve(count, ridge)?;
    let known = basis.columns.iter().map(Vec::len).min()?;
    let steps: Vec<f64> = (0..known)
        .map(|step| {
            let parts = basis.columns.iter().zip(&regressors).zip(&coefficients);
            largest * parts.map(|((column, regressor), b)| b * (column[step] / regressor.unit)).sum::<f64>()
        })
        .collect();
    steps.iter().all(|step| step.is_finite()).then_some(steps)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()))
}

/// A number of columns and a ridge, with the squared errors on each stretch.
struct Choice {
    count: usize,
    ridge: f64,
    errors: Vec<f64>,
}

/// The choice with the least squared error.
fn choose(whole: &Moments, parts: &[Moments], stages: &[usize], changes: usize) -> Option<Choice> {
    let rests: Vec<Moments> = parts.iter().map(|part| whole.without(part)).collect();
    let mut best: Option<(f64, Choice)> = None;
    for &count in stages {
        for ridge in RIDGES.map(|ridge| ridge * changes as f64) {
            let errors: Option<Vec<f64>> = parts
                .iter()
                .zip(&rests)
                .map(|(part, rest)| Some(part.error(&rest.solve(count, ridge)?)))
                .collect();
            let Some(errors) = errors else { continue };
            let total: f64 = errors.iter().sum();
            if best.as_ref().is_none_or(|(least, _)| total < *least) {
                best = Some((total, Choice { count, ridge, errors }));
            }
        }
    }
    best.map(|(_, choice)| choice)
}

/// Squared errors on each stretch, after subtracting `explained` from the targets if it is given.
fn errors_of(targets: &[f64], explained: Option<&[f64]>, stretches: &[Range<usize>]) -> Vec<f64> {
    let rest: Vec<f64> = match explained {
        Some(explained) => targets.iter().zip(explained).map(|(target, part)| target - part).collect(),
        None => targets.to_vec(),
    };
    stretches.iter().map(|stretch| dot(&rest[stretch.clone()], &rest[stretch.clone()])).collect()
}

/// Whether the errors `then` are smaller in sum than `now`, and the mean log ratio of the two is above zero beyond
/// chance. Errors below `none` count as `none`.
fn is_proven(now: &[f64], then: &[f64], none: f64) -> bool {
    let count = now.len() as f64;
    let gains: Vec<f64> =
        now.iter().zip(then).map(|(now, then)| (now.max(none) / then.max(none)).ln()).collect();
    let mean = gains.iter().sum::<f64>() / count;
    let variance = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / (count - 1.0);
    then.iter().sum::<f64>() < now.iter().sum::<f64>() && mean > PROOF * (variance / count).sqrt()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    /// Pseudo-random numbers from -1 to 1.
    fn noise() -> impl FnMut() -> f64 {
        let mut state = 1_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1_u32 << 23) - 1.0
        }
    }

    const DAY: usize = 12;
    const LENGTH: usize = 84 * DAY;

    /// A temperature that wanders from day to day, for one day more than the history.
    fn temperature(noise: &mut impl FnMut() -> f64) -> Vec<f64> {
        let mut level = 0.0;
        (0..LENGTH + DAY)
            .map(|step| {
                if step % DAY == 0 {
                    level = 0.6 * level + 8.0 * noise();
                }
                18.0 + level + 4.0 * (TAU * step as f64 / DAY as f64).sin() + noise()
            })
            .collect()
    }

    #[test]
    fn a_response_that_turns_at_a_value_and_differs_along_the_day_is_found() {
        let mut noise = noise();
        let temperature = temperature(&mut noise);
        let truth = |step: usize| {
            let by_hour = 1.0 + 0.8 * (TAU * step as f64 / DAY as f64).cos();
            by_hour * (2.0 * (temperature[step] - 20.0).max(0.0) + (14.0 - temperature[step]).max(0.0))
        };
        let values: Vec<f64> =
            (0..LENGTH).map(|step| 100.0 + 10.0 * (step % DAY) as f64 + truth(step) + noise()).collect();
        let given = [temperature.clone()];
        let found = respond(&values, &given, &[DAY, 7 * DAY], None).expect("a response");
        assert_eq!(found.len(), LENGTH + DAY);
        // A weekly pattern is a season, not an effect.
        let change = |of: &dyn Fn(usize) -> f64, step: usize| of(step) - of(step - 7 * DAY);
        let sum = |of: &dyn Fn(usize) -> f64| (7 * DAY..LENGTH + DAY).map(of).sum::<f64>();
        let missed = sum(&|step| (change(&|at| found[at], step) - change(&truth, step)).abs());
        let size = sum(&|step| change(&truth, step).abs());
        assert!(missed < 0.25 * size, "{missed} of {size}");

        let in_kelvins = [temperature.iter().map(|value| value + 273.15).collect::<Vec<f64>>()];
        let again = respond(&values, &in_kelvins, &[DAY, 7 * DAY], None).expect("a response");
        let shift = again[0] - found[0];
        for (step, (again, found)) in again.iter().zip(&found).enumerate() {
            assert!((again - found - shift).abs() < 1e-6, "step {step}: {again} and {found}");
        }
    }

    #[test]
    fn what_is_explained_already_stays() {
        let mut noise = noise();
        let temperature = temperature(&mut noise);
        let values: Vec<f64> = (0..LENGTH).map(|step| 3.0 * temperature[step] + noise()).collect();
        let simple: Vec<f64> = temperature.iter().map(|value| 3.0 * value).collect();
        let given = [temperature.clone()];
        assert!(respond(&values, &given, &[DAY, 7 * DAY], None).is_some());
        assert!(respond(&values, &given, &[DAY, 7 * DAY], Some(&simple)).is_none());
    }

    #[test]
    fn walks_and_constants_explain_nothing() {
        let mut noise = noise();
        let mut walk = |length: usize| -> Vec<f64> {
            let mut level = 0.0;
            (0..length)
                .map(|_| {
                    level += noise();
                    level
                })
                .collect()
        };
        let found = (0..100).filter(|_| respond(&walk(240), &[walk(252)], &[12], None).is_some()).count();
        assert!(found <= 5, "{found} of 100");
        assert!(respond(&walk(240), &[vec![1.0; 252]], &[12], None).is_none());
        assert!(respond(&walk(8), &[walk(10)], &[], None).is_none(), "too short");
    }
}
