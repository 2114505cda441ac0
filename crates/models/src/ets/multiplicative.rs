//! Forms with a multiplicative season and multiplicative errors.

use super::form::Smoothing;
use super::state::State;

/// Products of forecasts are turned into a logarithm before they leave this range.
const PRODUCT: std::ops::Range<f64> = 1e-100..1e100;

/// Minus twice the log-likelihood, up to a constant: `n · log(sum of squared relative errors) + 2 · sum of
/// log(forecast)`; infinite where a forecast is not positive. `season` is working storage.
pub(crate) fn deviance(values: &[f64], start: &State, smoothing: &Smoothing, season: &mut Vec<f64>) -> f64 {
    let Smoothing { alpha, beta, gamma, phi } = *smoothing;
    season.clear();
    season.extend_from_slice(&start.season);
    let (mut level, mut slope) = (start.level, start.slope);
    let (mut squares, mut logarithms, mut product) = (0.0, 0.0, 1.0_f64);
    let mut phase = 0;
    for &value in values {
        let faded = phi * slope;
        let trend = level + faded;
        let forecast = trend * season[phase];
        if forecast.is_nan() || forecast <= f64::MIN_POSITIVE || season[phase] <= 0.0 {
            return f64::INFINITY;
        }
        // Level and slope move by the error of the adjusted series: the two divisions then wait for nothing that the
        // next step needs, and the recursion runs at the speed of its additions.
        let error = value / season[phase] - trend;
        let relative = error / trend;
        squares += relative * relative;
        product *= forecast;
        if !PRODUCT.contains(&product) {
            logarithms += product.ln();
            product = 1.0;
        }
        level = trend + alpha * error;
        slope = faded + beta * error;
        season[phase] *= 1.0 + gamma * relative;
        phase += 1;
        if phase == season.len() {
            phase = 0;
        }
    }
    let count = values.len() as f64;
    count * super::floored(squares, count).ln() + 2.0 * (logarithms + product.ln())
}
