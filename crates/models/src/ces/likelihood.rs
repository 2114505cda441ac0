//! The likelihood of one form.

use tabcast_statistics::LeastSquares;

use super::Candidate;
use super::form::Form;
use super::search::Objective;
use crate::likelihood::{FixedForm, Likelihood, of_squares};

struct Fixed {
    form: Form,
    period: usize,
}

pub(crate) fn find(name: &str, period: usize) -> Option<Box<dyn FixedForm>> {
    let form = match name {
        "CES(N)" => Form::None,
        "CES(S)" => Form::Simple,
        "CES(P)" => Form::Partial,
        "CES(F)" => Form::Full,
        _ => return None,
    };
    Some(Box::new(Fixed { form, period }))
}

impl FixedForm for Fixed {
    fn optimum(&self, values: &[f64]) -> Option<f64> {
        let mut search = LeastSquares::new();
        let mut candidate = Candidate::first(values, self.form, self.period, &mut search)?;
        candidate.improve(values, self.period, &mut search);
        Some(of_squares(candidate.squares, values.len()))
    }

    /// The starting states follow from the parameters.
    fn at(&self, values: &[f64], parameters: &[f64], _: f64) -> Option<Likelihood> {
        let mut all = [0.0; 4];
        all[..self.form.searched()].copy_from_slice(parameters.get(..self.form.searched())?);
        let mut objective = Objective::new(values, self.form, self.period);
        let value = of_squares(objective.sum_of_squares(&all), values.len());
        value.is_finite().then_some(Likelihood { value, admissible: objective.admits(&all) })
    }
}
