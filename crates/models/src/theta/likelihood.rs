//! The likelihood of the dynamic optimised model.

use super::DYNAMIC_OPTIMISED;
use super::line::Lines;
use super::recursion::{ALPHA, FIRST_ERROR, Solution, Theta};
use crate::likelihood::{FixedForm, Likelihood, of_squares};

/// The model of the unadjusted series, whatever its season.
struct Fixed;

pub(crate) fn find(name: &str) -> Option<Box<dyn FixedForm>> {
    (name == "DOTM").then(|| Box::new(Fixed) as Box<dyn FixedForm>)
}

/// Counts from the first error that counts in the estimate.
fn log_likelihood(theta: &Theta, values: &[f64], lines: &Lines) -> f64 {
    let fitted = theta.fitted(values, lines);
    let errors = values.iter().zip(&fitted).skip(FIRST_ERROR).map(|(value, mean)| value - mean);
    let squares: f64 = errors.map(|error| error * error).sum();
    of_squares(squares, values.len() - FIRST_ERROR)
}

impl FixedForm for Fixed {
    fn optimum(&self, values: &[f64]) -> Option<f64> {
        if values.len() < super::FEWEST_VALUES {
            return None;
        }
        let lines = Lines::of(values, true);
        Some(log_likelihood(&Theta::estimate(values, DYNAMIC_OPTIMISED, &lines), values, &lines))
    }

    fn at(&self, values: &[f64], parameters: &[f64], scale: f64) -> Option<Likelihood> {
        let [level, alpha, theta] = *parameters else { return None };
        let solution = Solution { level: level * scale, omega: 1.0 - theta.recip(), sum_of_squares: 0.0 };
        let at = Theta { form: DYNAMIC_OPTIMISED, alpha, solution };
        let value = log_likelihood(&at, values, &Lines::of(values, true));
        let admissible = (ALPHA.0..=ALPHA.1).contains(&alpha) && theta >= 1.0;
        value.is_finite().then_some(Likelihood { value, admissible })
    }
}
