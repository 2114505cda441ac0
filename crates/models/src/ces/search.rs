//! The sum of squared errors as a function of the parameters.

use tabcast_statistics::{LeastSquares, Stop, SumOfSquares};

use super::form::{Form, Parameters, Point, Region};
use super::recursion::{Direction, States};

/// Number of derivatives for forms with two parameters and with three or four, in whole vectors.
const FEW: usize = 2;
const MANY: usize = 4;

/// The sum of squared one-step errors of one form.
pub(crate) struct Objective<'a> {
    values: &'a [f64],
    form: Form,
    pub(crate) region: Region,
    rough: States<0>,
    plain: States<0>,
    few: States<FEW>,
    many: States<MANY>,
}

impl<'a> Objective<'a> {
    pub(crate) fn new(values: &'a [f64], form: Form, period: usize) -> Self {
        Self {
            values,
            form,
            region: Region::for_period(period),
            rough: States::rough(values, form, period),
            plain: States::default(),
            few: States::default(),
            many: States::default(),
        }
    }

    /// Moves the point to a minimum, and returns the sum of squares there.
    pub(crate) fn descend(&mut self, point: &mut Point, search: &mut LeastSquares, stop: Stop) -> f64 {
        let (lower, upper) = self.region.bounds();
        let searched = self.form.searched();
        search.search(self, &mut point[..searched], &lower[..searched], &upper[..searched], stop)
    }

    /// The parameters of a point.
    pub(crate) fn parameters(&self, point: &[f64]) -> Parameters {
        self.region.parameters(&point[..self.form.searched()])
    }

    /// Whether the search may reach these parameters.
    pub(crate) fn admits(&self, parameters: &Parameters) -> bool {
        self.region.admits(self.form, parameters)
    }

    /// The sum of squared errors.
    pub(crate) fn sum_of_squares(&mut self, parameters: &Parameters) -> f64 {
        let (values, form) = (self.values, self.form);
        let mut squares = 0.0;
        self.start(parameters).pass(values, form, parameters, Direction::Forward, |_, error| {
            squares += error.value * error.value;
        });
        squares
    }

    /// The states before the first value.
    pub(crate) fn start(&mut self, parameters: &Parameters) -> &mut States<0> {
        refine(&mut self.plain, &self.rough, self.values, self.form, parameters);
        &mut self.plain
    }
}

/// Rough states after a forward pass, a backward pass, and the step to before the first value.
#[expect(clippy::inline_always, reason = "only the caller may know the instruction set")]
#[inline(always)]
fn refine<const D: usize>(
    states: &mut States<D>,
    rough: &States<0>,
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
    /// The recursion is a chain of dependent operations, so derivatives run beside it at little cost.
    const CHEAP_DERIVATIVES: bool = true;

    fn value(&mut self, point: &[f64]) -> f64 {
        let parameters = self.parameters(point);
        self.sum_of_squares(&parameters)
    }

    fn linearise(&mut self, point: &[f64], matrix: &mut [f64], gradient: &mut [f64]) -> f64 {
        let parameters = self.parameters(point);
        let Self { values, form, region, ref rough, .. } = *self;
        if point.len() <= FEW {
            let products = products(&mut self.few, rough, values, form, &parameters);
            by_coordinates(&products, region, point, matrix, gradient)
        } else {
            let products = products(&mut self.many, rough, values, form, &parameters);
            by_coordinates(&products, region, point, matrix, gradient)
        }
    }
}

/// The sum of squared errors, and the products of their derivatives with the errors and with each other.
struct Products<const D: usize> {
    squares: f64,
    gradient: [f64; D],
    matrix: [[f64; D]; D],
}

/// Uses AVX2 where the processor has it. The operations and their order stay the same, and so does every bit.
fn products<const D: usize>(
    states: &mut States<D>,
    rough: &States<0>,
    values: &[f64],
    form: Form,
    parameters: &Parameters,
) -> Products<D> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { products_avx2(states, rough, values, form, parameters) };
    }
    products_with(states, rough, values, form, parameters)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn products_avx2<const D: usize>(
    states: &mut States<D>,
    rough: &States<0>,
    values: &[f64],
    form: Form,
    parameters: &Parameters,
) -> Products<D> {
    products_with(states, rough, values, form, parameters)
}

#[expect(clippy::inline_always, reason = "only the caller may know the instruction set")]
#[inline(always)]
fn products_with<const D: usize>(
    states: &mut States<D>,
    rough: &States<0>,
    values: &[f64],
    form: Form,
    parameters: &Parameters,
) -> Products<D> {
    refine(states, rough, values, form, parameters);
    let mut products = Products { squares: 0.0, gradient: [0.0; D], matrix: [[0.0; D]; D] };
    states.pass(values, form, parameters, Direction::Forward, |_, error| {
        products.squares += error.value * error.value;
        for row in 0..D {
            products.gradient[row] += error.slopes[row] * error.value;
            for column in 0..D {
                products.matrix[row][column] += error.slopes[row] * error.slopes[column];
            }
        }
    });
    products
}

/// Converts derivatives with respect to the parameters to derivatives with respect to the coordinates of the point;
/// returns the sum of squares.
fn by_coordinates<const D: usize>(
    products: &Products<D>,
    region: Region,
    point: &[f64],
    matrix: &mut [f64],
    gradient: &mut [f64],
) -> f64 {
    let Products { squares, gradient: mut slopes, matrix: mut products } = *products;
    for pair in 0..point.len() / 2 {
        let (real, imaginary) = (2 * pair, 2 * pair + 1);
        let [by_first, by_second] = region.slopes(point, pair);
        slopes[real] += by_first * slopes[imaginary];
        slopes[imaginary] *= by_second;
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
        gradient[row] = slopes[row];
        matrix[row * order..][..=row].copy_from_slice(&products[row][..=row]);
    }
    squares
}
