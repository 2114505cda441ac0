//! Autoregressive integrated moving-average models, chosen automatically.
//!
//! With the lag operator `B` and the season `m`, differences `w = (1 - B)^d (1 - B^m)^D y` follow
//!
//! ```text
//! (1 - phi1·B - ...) (1 - Phi1·B^m - ...) (w - c - x·beta) = (1 + theta1·B + ...) (1 + Theta1·B^m + ...) e
//! ```
//!
//! where `c` is a constant (tried with at most one difference) and `x` are the regressors, differenced likewise.
//!
//! Sources: Hyndman and Khandakar, Automatic time series forecasting: the forecast package for R, Journal of
//! Statistical Software 27 (2008), for the choice of differences and orders; Box, Jenkins and Reinsel, Time Series
//! Analysis, for estimates and forecasts.
//!
//! Differences from the source: the likelihood is conditional on the first `d + m·D` values, exact for the rest,
//! instead of a diffuse prior for all states, so the state is only as long as the ARMA model. Orders are searched with
//! conditional least-squares estimates, ranked by their exact likelihood; the best few are then estimated by maximum
//! likelihood. Seasons beyond 24, and several seasons, become Fourier terms with non-seasonal errors, in both models.
//! Collinear columns are dropped. Forecast variances ignore the uncertainty of the estimates.

mod automatic;
mod conditional;
mod differencing;
mod exact;
mod fitted;
mod fourier;
pub(crate) mod likelihood;
mod order;
mod polynomial;
mod regression;
mod search;
mod start;
#[cfg(test)]
mod tests;
mod whitening;

use crate::logarithm::suits_logarithms;
use crate::{Fit, Model, Series, Unfit};
use automatic::{Plan, recent};

/// The longest season of a seasonal ARMA model.
const LONGEST_SEASON: usize = 24;

/// The registry entry of the model with seasonal differences and terms.
pub(crate) struct Arima;

impl Model for Arima {
    fn name(&self) -> &'static str {
        "arima"
    }

    fn uses_regressors(&self) -> bool {
        true
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let season = series.season_length;
        if season > LONGEST_SEASON && season <= series.len() / 2 {
            return FourierArima.fit_rescaled(series);
        }
        let season = if season > 1 && season < series.len() && season <= LONGEST_SEASON { season } else { 1 };
        let values = recent(series.values, season);
        let plan = Plan { season, waves: Vec::new(), logarithmic: false };
        Ok(Box::new(automatic::fit(values, series, plan)?))
    }
}

/// The registry entry of the model with Fourier terms and non-seasonal errors.
pub(crate) struct FourierArima;

impl Model for FourierArima {
    fn name(&self) -> &'static str {
        "fourier_arima"
    }

    fn uses_regressors(&self) -> bool {
        true
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let values = recent(series.values, 1);
        let periods = series.usable_periods(2);
        let logarithmic = prefers_logarithms(values, periods.first().copied().unwrap_or(1));
        let logarithms: Vec<f64> =
            if logarithmic { values.iter().map(|value| value.ln()).collect() } else { Vec::new() };
        let values = if logarithmic { &logarithms } else { values };
        series.interrupt.check()?;
        let waves = fourier::choose(values, &periods);
        let plan = Plan { season: 1, waves, logarithmic };
        Ok(Box::new(automatic::fit(values, series, plan)?))
    }
}

/// Shorter series are not modelled in logarithms: an exponential trend from few values overshoots (logarithms make
/// quarterly M4 worse, weekly and daily M4 better).
const SHORTEST_IN_LOGARITHMS: usize = 200;

/// Whether logarithms raise the likelihood of the simplest model, a random walk or a seasonal one (Box and Cox, An
/// analysis of transformations, 1964).
fn prefers_logarithms(values: &[f64], season: usize) -> bool {
    if values.len() < SHORTEST_IN_LOGARITHMS || !suits_logarithms(values) {
        return false;
    }
    let lag = if season < values.len() / 3 { season } else { 1 };
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let jacobian: f64 = logarithms[lag..].iter().sum();
    let log_variance = |values: &[f64]| {
        let changes = || values.iter().zip(&values[lag..]).map(|(before, now)| now - before);
        let count = (values.len() - lag) as f64;
        let mean = changes().sum::<f64>() / count;
        count * (changes().map(|change| (change - mean).powi(2)).sum::<f64>() / count).max(1e-24).ln()
    };
    log_variance(&logarithms) + 2.0 * jacobian < log_variance(values)
}
