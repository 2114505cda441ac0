//! The two traits that a model implements, and the checks that all models share.

use std::error::Error;
use std::fmt;

use crate::rescale::Rescaled;
use crate::{Forecast, Series};

/// Why a model does not apply to a series. This never fails the job: the caller continues with other models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfit {
    /// A sentence for humans.
    pub reason: &'static str,
}

impl Unfit {
    /// The fit is no longer wanted; see [`Interrupt`](crate::Interrupt).
    pub const INTERRUPTED: Self = Self { reason: "the fit was interrupted" };
}

impl fmt::Display for Unfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.reason)
    }
}

impl Error for Unfit {}

/// A forecasting model for one series at a time.
pub trait Model: Send + Sync {
    /// The registry name, in snake case.
    fn name(&self) -> &'static str;

    /// Whether the model uses the regressors of a series; the others ignore them.
    fn uses_regressors(&self) -> bool {
        false
    }

    /// Fits a series that has been checked and rescaled by a power of two, so that its largest absolute value lies in
    /// [1, 2) (or is zero). This is what a model implements; callers use [`fit`](Self::fit).
    ///
    /// # Errors
    ///
    /// [`Unfit`] if the model does not apply to this series.
    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit>;

    /// Fits the series.
    ///
    /// The same numbers always give the same fit, and multiplying a series by a power of two multiplies the forecasts
    /// by exactly that power. Forecasts are finite and stay within a wide multiple of the series' range, however badly
    /// the model extrapolates.
    ///
    /// # Errors
    ///
    /// [`Unfit`] if the series has fewer than two values, has a value that is not finite, or does not suit this model,
    /// and if the fit is interrupted.
    fn fit(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        if series.len() < 2 {
            return Err(Unfit { reason: "the series has fewer than two values" });
        }
        if !series.values.iter().all(|value| value.is_finite()) {
            return Err(Unfit { reason: "the series holds a value that is not finite" });
        }
        series.interrupt.check()?;
        let rescaled = Rescaled::fit(series, |scaled| self.fit_rescaled(scaled))?;
        Ok(Box::new(rescaled))
    }
}

/// A model fitted to one series.
pub trait Fit: Send {
    /// Forecasts the `horizon` steps after the last observation.
    fn forecast(&self, horizon: usize) -> Forecast;

    /// The one-step forecast of every observation from the earlier ones, in the units of the series; NaN where the
    /// model has none (the first season of a seasonal naive forecast).
    fn fitted(&self) -> &[f64];
}
