//! The likelihood of one form of a model: at its optimum, and at given parameters.
//!
//! A model of the registry chooses its form itself and returns only forecasts. This module tests whether its search
//! finds the optimum of a form: it compares the optimum with the parameters that another implementation found for the
//! same form, both in the same likelihood function.

use crate::rescale::power_of_two_scale;
use crate::{arima, ces, ets, theta};

/// A log-likelihood, up to a constant that depends only on the series and the form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likelihood {
    /// Its value.
    pub value: f64,
    /// Whether the parameters lie in the region of the model's own search.
    pub admissible: bool,
}

/// The optimum of a form, and the likelihood at given parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The likelihood that the model's search reaches; none if it refuses the series, or the form for this series.
    pub optimum: Option<f64>,
    /// The likelihood at the given parameters; none if it is undefined, as for relative errors of negative forecasts.
    pub given: Option<Likelihood>,
}

/// One form of a model, for series of one season length.
pub trait FixedForm {
    /// The likelihood at the optimum of the model's search; none for series that are too short.
    ///
    /// The largest absolute value is in [1, 2).
    fn optimum(&self, values: &[f64]) -> Option<f64>;

    /// The likelihood at given parameters, whose states are multiplied by `scale` first; none if it is undefined.
    fn at(&self, values: &[f64], parameters: &[f64], scale: f64) -> Option<Likelihood>;
}

/// The likelihood of normal errors with the best variance: minus half of n times the logarithm of the sum of squares.
pub(crate) fn of_squares(squares: f64, count: usize) -> f64 {
    -0.5 * count as f64 * squares.ln()
}

/// The form with the given name: `ETS(A,Ad,M)`, `CES(N)`, `DOTM` or, with a constant, `ARIMA(1,1,1)(0,0,1)c`.
fn find(name: &str, season: usize) -> Option<Box<dyn FixedForm>> {
    ets::likelihood::find(name, season)
        .or_else(|| ces::likelihood::find(name, season))
        .or_else(|| theta::likelihood::find(name))
        .or_else(|| arima::likelihood::find(name, season))
}

/// The likelihood of the form of this name at the optimum, and at given parameters:
///
/// - ETS: alpha, beta, gamma, phi (any number if the form lacks them), level, slope (likewise), seasonal states in the
///   order of the first values;
/// - CES: both parts of alpha, then of beta;
/// - DOTM: the initial level, alpha, theta;
/// - ARIMA: autoregressive, seasonal autoregressive, moving-average and seasonal moving-average coefficients, the
///   latter two with the sign of the errors' own; the constant is estimated.
///
/// None if there is no such form.
pub fn compare(name: &str, season: usize, values: &[f64], parameters: &[f64]) -> Option<Comparison> {
    let form = find(name, season)?;
    let scale = power_of_two_scale(values).recip();
    let scaled: Vec<f64> = values.iter().map(|value| value * scale).collect();
    Some(Comparison { optimum: form.optimum(&scaled), given: form.at(&scaled, parameters, scale) })
}
