//! Ridge autoregression on recent and seasonal lags.
//!
//! With `d[t] = y[t] - y[t-k]`, where `k` is the season length up to 24 and 1 otherwise,
//!
//! ```text
//! d[t] = sum over lags j of c[j]·d[t-j] + e[t]
//! ```
//!
//! The lags are the recent ones (all of a short season) and those around one and two cycles of every season length; for
//! short seasons also whole cycles up to the seventh. The coefficients minimise squared errors plus a penalty on their
//! size (Hoerl and Kennard, Ridge regression, Technometrics 12 (1970)). The series is modelled in logarithms when that
//! raises the likelihood (Box and Cox, An analysis of transformations, 1964). Forecasts run the recursion on their own
//! means; their variance is the sum of squared responses to a unit shock.
//!
//! This is the workhorse for seasons above 12 and for several seasons: on hourly M4 (24 and 168) its OWA is .44 where
//! the seasonal naive forecast has .63. On yearly and quarterly series it is weaker than smoothing.
//!
//! A fit that amplifies shocks is not refused: its roots are moved inwards until it is stable.

use tabcast_statistics::solve_positive_definite;

use crate::logarithm::{log_normal_moments, suits_logarithms};
use crate::{Fit, Forecast, Model, Series, Shape, Unfit};

/// The ridge penalty, as a fraction of the mean variance of the lagged values.
const RIDGE: f64 = 1e-2;
/// Each coefficient needs at least this many observations.
const OBSERVATIONS_PER_LAG: usize = 4;
/// Seasons up to this length are differenced out, and all lags within one are used.
const LONGEST_DENSE_SEASON: usize = 24;
/// Number of recent lags if there is no short season.
const RECENT_LAGS: usize = 5;
/// A fit whose response to a shock exceeds this multiple of the shock is made more stable.
const LARGEST_RESPONSE: f64 = 1.5;

/// The registry entry.
pub(crate) struct Autoregression;

impl Model for Autoregression {
    fn name(&self) -> &'static str {
        "autoregression"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let plain = Regression::fit(series.values, series)?;
        if !suits_logarithms(series.values) {
            return Ok(Box::new(AutoregressionFit::new(plain, false)));
        }
        let logarithms: Vec<f64> = series.values.iter().map(|value| value.ln()).collect();
        let logarithmic = Regression::fit(&logarithms, series)?;
        // The profile likelihoods of the two fits, the second with the Jacobian of the transformation (Box and Cox,
        // 1964).
        let start = plain.start;
        let count = (series.len() - start) as f64;
        let jacobian: f64 = logarithms[start..].iter().sum();
        let better = count * logarithmic.variance.max(1e-24).ln() + 2.0 * jacobian
            < count * plain.variance.max(1e-24).ln();
        let chosen = if better { logarithmic } else { plain };
        Ok(Box::new(AutoregressionFit::new(chosen, better)))
    }
}

/// An autoregression of the differences of a series.
struct Regression {
    values: Vec<f64>,
    difference: usize,
    lags: Vec<usize>,
    coefficients: Vec<f64>,
    /// The variance of one-step errors, and the same with rare jumps clipped.
    variance: f64,
    variance_without_jumps: f64,
    /// The first step with a one-step forecast.
    start: usize,
}

impl Regression {
    fn fit(values: &[f64], series: &Series<'_>) -> Result<Self, Unfit> {
        let season = series.season_length;
        let short = (2..=LONGEST_DENSE_SEASON).contains(&season) && series.len() >= 4 * season;
        let difference = if short { season } else { 1 };
        let changes: Vec<f64> =
            values.iter().zip(&values[difference..]).map(|(before, now)| now - before).collect();
        let lags = choose_lags(series, short, changes.len());
        let Some(&longest) = lags.last() else {
            return Err(Unfit { reason: "the series is too short for an autoregression" });
        };
        let mut coefficients =
            solve_ridge(&changes, &lags, RIDGE).ok_or(Unfit { reason: "the lags are degenerate" })?;
        stabilise(&lags, &mut coefficients, longest);
        let squares: Vec<f64> = (longest..changes.len())
            .map(|step| (changes[step] - predict(&changes[..step], &lags, &coefficients)).powi(2))
            .collect();
        let degrees = squares.len().saturating_sub(lags.len()).max(1) as f64;
        Ok(Self {
            values: values.to_vec(),
            difference,
            coefficients,
            variance: squares.iter().sum::<f64>() / degrees,
            variance_without_jumps: sum_without_jumps(squares) / degrees,
            start: difference + longest,
            lags,
        })
    }
}

/// The sum of squared errors, clipped at three standard deviations. The median of squared normal errors is 0.455 of
/// their variance.
fn sum_without_jumps(mut squares: Vec<f64>) -> f64 {
    let middle = squares.len() / 2;
    let (_, &mut median, _) = squares.select_nth_unstable_by(middle, f64::total_cmp);
    let most = if median > 0.0 { 9.0 * median / 0.455 } else { f64::INFINITY };
    squares.iter().map(|square| square.min(most)).sum()
}

/// Recent lags and, for each season, the lags around one and two cycles and some more whole cycles, ascending; as many
/// as the differenced series supports.
fn choose_lags(series: &Series<'_>, short: bool, length: usize) -> Vec<usize> {
    let recent = if short { (series.season_length + 1).min(LONGEST_DENSE_SEASON + 1) } else { RECENT_LAGS };
    let mut lags: Vec<usize> = (1..=recent).collect();
    for period in series.usable_periods(3) {
        lags.extend([period - 1, period, period + 1, 2 * period - 1, 2 * period, 2 * period + 1]);
        if period > LONGEST_DENSE_SEASON {
            lags.extend([period / 4, period / 2]);
        } else {
            lags.extend((3..=7).map(|cycle| cycle * period));
        }
    }
    lags.sort_unstable();
    lags.dedup();
    lags.retain(|&lag| lag > 0 && lag <= length / 2);
    while lags.last().is_some_and(|&longest| (length - longest) < OBSERVATIONS_PER_LAG * lags.len()) {
        lags.pop();
    }
    lags
}

fn predict(past: &[f64], lags: &[usize], coefficients: &[f64]) -> f64 {
    lags.iter().zip(coefficients).map(|(lag, coefficient)| coefficient * past[past.len() - lag]).sum()
}

/// The coefficients of ascending lags that minimise squared errors plus a penalty, which is a fraction `ridge` of the
/// mean variance of the lagged values. None without lags, or if the lagged values are degenerate.
pub(crate) fn solve_ridge(changes: &[f64], lags: &[usize], ridge: f64) -> Option<Vec<f64>> {
    let order = lags.len();
    let longest = *lags.last()?;
    let targets = &changes[longest..];
    let column = |lag: usize| &changes[longest - lag..changes.len() - lag];
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut matrix = vec![0.0; order * order];
    let mut right = vec![0.0; order];
    for row in 0..order {
        right[row] = dot(column(lags[row]), targets);
        for other in 0..=row {
            matrix[row * order + other] = dot(column(lags[row]), column(lags[other]));
        }
    }
    let trace: f64 = (0..order).map(|index| matrix[index * order + index]).sum();
    // A series without any change has the zero solution.
    let penalty = (ridge * trace / order as f64).max(1e-30);
    for index in 0..order {
        matrix[index * order + index] += penalty;
    }
    solve_positive_definite(&mut matrix, &mut right).then_some(right)
}

/// Moves the roots of an unstable autoregression inwards, by the factor `0.98^lag` on its coefficients, until
/// a unit shock no longer grows.
fn stabilise(lags: &[usize], coefficients: &mut [f64], longest: usize) {
    for _ in 0..50 {
        let mut responses = vec![0.0; longest];
        responses.push(1.0);
        for _ in 0..2 * longest + 50 {
            responses.push(predict(&responses, lags, coefficients));
        }
        if responses.iter().all(|response| response.abs() <= LARGEST_RESPONSE) {
            break;
        }
        for (lag, coefficient) in lags.iter().zip(coefficients.iter_mut()) {
            *coefficient *= 0.98_f64.powi(*lag as i32);
        }
    }
}

struct AutoregressionFit {
    regression: Regression,
    logarithmic: bool,
    fitted: Vec<f64>,
}

impl AutoregressionFit {
    fn new(regression: Regression, logarithmic: bool) -> Self {
        let Regression { values, difference, lags, coefficients, start, .. } = &regression;
        let mut fitted = vec![f64::NAN; *start];
        let change = |step: usize| values[step] - values[step - difference];
        for step in *start..values.len() {
            let expected: f64 = lags
                .iter()
                .zip(coefficients)
                .map(|(lag, coefficient)| coefficient * change(step - lag))
                .sum();
            let forecast = values[step - difference] + expected;
            fitted.push(if logarithmic { forecast.exp() } else { forecast });
        }
        Self { regression, logarithmic, fitted }
    }
}

impl Fit for AutoregressionFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        let Regression { values, difference, lags, coefficients, .. } = &self.regression;
        // The mean of a log-normal distribution grows with its variance, so a single past jump must not raise all
        // forecasts.
        let variance =
            if self.logarithmic { self.regression.variance_without_jumps } else { self.regression.variance };
        let longest = lags[lags.len() - 1];
        let known = values.len();
        let mut path = values.clone();
        let mut changes: Vec<f64> =
            (known - longest..known).map(|step| values[step] - values[step - difference]).collect();
        // The response of the series, and of its changes, to a unit shock at the first step ahead.
        let mut shock_changes = vec![0.0; longest];
        let mut shock: Vec<f64> = Vec::with_capacity(horizon);
        let mut forecast =
            Forecast::with_capacity(horizon, if self.logarithmic { Shape::LogNormal } else { Shape::Normal });
        let mut sum = 0.0;
        for step in 0..horizon {
            changes.push(predict(&changes, lags, coefficients));
            path.push(path[known + step - difference] + changes[longest + step]);
            shock_changes.push(if step == 0 { 1.0 } else { predict(&shock_changes, lags, coefficients) });
            let before = if step >= *difference { shock[step - difference] } else { 0.0 };
            shock.push(before + shock_changes[longest + step]);
            sum += shock[step] * shock[step];
            let (centre, spread) = (path[known + step], variance * sum);
            if self.logarithmic {
                let (mean, sd) = log_normal_moments(centre, spread);
                forecast.mean.push(mean);
                forecast.sd.push(sd);
            } else {
                forecast.mean.push(centre);
                forecast.sd.push(spread.sqrt());
            }
        }
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}
