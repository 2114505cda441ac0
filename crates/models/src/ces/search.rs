//! The sum of squared errors as a function of the parameters.

use tabcast_statistics::SumOfSquares;

use super::form::{Ceiling, Form, Parameters, forgets};
use super::recursion::{Direction, States};

/// The lanes of states with the derivatives by up to four parameters.
const LANES: usize = 5;

/// The sum of squared one-step errors of one form.
pub(crate) struct Objective<'a> {
    values: &'a [f64],
    form: Form,
    ceiling: Ceiling,
    rough: States<1>,
    plain: States<1>,
    derived: States<LANES>,
}

impl<'a> Objective<'a> {
    pub(crate) fn new(values: &'a [f64], form: Form, period: usize) -> Self {
        Self {
            values,
            form,
            ceiling: Ceiling::for_period(period),
            rough: States::rough(values, form, period),
            plain: States::default(),
            derived: States::default(),
        }
    }

    pub(crate) fn parameters(&self, point: &[f64]) -> Parameters {
        self.ceiling.parameters(point)
    }

    /// The states before the first value.
    pub(crate) fn start(&mut self, parameters: &Parameters) -> &mut States<1> {
        refine(&mut self.plain, &self.rough, self.values, self.form, parameters);
        &mut self.plain
    }
}

/// Rough states after a pass forward, one back, and the step to before the first value.
fn refine<const L: usize>(
    states: &mut States<L>,
    rough: &States<1>,
    values: &[f64],
    form: Form,
    parameters: &Parameters,
) {
    states.copy_from(rough);
    states.pass(values, form, parameters, Direction::Forward, |_, _| {});
    states.pass(values, form, parameters, Direction::Backward, |_, _| {});
    states.move_on(form, parameters);
}

impl SumOfSquares for Objective<'_> {
    fn value(&mut self, point: &[f64]) -> f64 {
        let parameters = self.parameters(point);
        if !forgets(parameters[0], parameters[1]) {
            return f64::INFINITY;
        }
        let (values, form) = (self.values, self.form);
        let mut squares = 0.0;
        self.start(&parameters)
            .pass(values, form, &parameters, Direction::Forward, |_, error| squares += error[0] * error[0]);
        squares
    }

    fn linearise(&mut self, point: &[f64], matrix: &mut [f64], gradient: &mut [f64]) -> f64 {
        let parameters = self.parameters(point);
        refine(&mut self.derived, &self.rough, self.values, self.form, &parameters);
        let mut products = [[0.0; LANES]; LANES];
        self.derived.pass(self.values, self.form, &parameters, Direction::Forward, |_, error| {
            for row in 0..LANES {
                for column in 0..LANES {
                    products[row][column] += error[row] * error[column];
                }
            }
        });
        // From derivatives by the parameters to derivatives by the coordinates of the point.
        for pair in 0..point.len() / 2 {
            let (real, imaginary) = (2 * pair + 1, 2 * pair + 2);
            let [by_first, by_second] = self.ceiling.slopes(point, pair);
            let of_imaginary = products[imaginary];
            for (product, other) in products[real].iter_mut().zip(of_imaginary) {
                *product += by_first * other;
            }
            for product in &mut products[imaginary] {
                *product *= by_second;
            }
            for row in &mut products {
                row[real] += by_first * row[imaginary];
                row[imaginary] *= by_second;
            }
        }
        let order = point.len();
        for row in 0..order {
            gradient[row] = products[row + 1][0];
            matrix[row * order..][..=row].copy_from_slice(&products[row + 1][1..=row + 1]);
        }
        products[0][0]
    }
}
