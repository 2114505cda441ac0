//! The sum of squared errors as a function of the searched parameters and the initial states.

use tabcast_statistics::SumOfSquares;

use super::form::{Error, Form, Search, Slopes, Smoothing};
use super::recursion::{Lanes, Tangents, pass};
use super::state::State;

/// Takes the logarithm of a product of forecasts before it leaves this range.
const PRODUCT: std::ops::Range<f64> = 1e-100..1e100;

/// Working memory that the forms of one series share.
#[derive(Default)]
pub(crate) struct Workspace {
    tangents: Tangents,
    none: Tangents,
    season: Vec<f64>,
    products: Vec<Lanes>,
}

/// The objective function. A point holds the four searched parameters, level, slope and, if they are estimated, the
/// seasonal states.
///
/// With additive errors the objective is their sum of squares. With multiplicative ones, minus twice the log-likelihood
/// is `n · log(sum of e²) + 2 · sum of log(forecast)`, which is n times the logarithm of the sum of squares of the
/// errors times the geometric mean of the forecasts: again a sum of squares.
pub(crate) struct Objective<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) form: Form,
    pub(crate) most_beta: f64,
    /// The seasonal states if they are not estimated.
    pub(crate) guess: &'a State,
    pub(crate) workspace: &'a mut Workspace,
}

impl Objective<'_> {
    /// The states of a point, in memory that the caller gives back.
    fn start(&mut self, point: &[f64]) -> State {
        let mut season = std::mem::take(&mut self.workspace.season);
        season.clear();
        season.extend_from_slice(if point.len() > 6 { &point[6..] } else { &self.guess.season });
        State { level: point[4], slope: point[5], season }
    }
}

/// The searched parameters of a point.
pub(crate) fn searched(point: &[f64]) -> Search {
    [point[0], point[1], point[2], point[3]]
}

/// The logarithm of a product of positive numbers.
struct LogProduct {
    sum: f64,
    product: f64,
}

impl LogProduct {
    const ONE: Self = Self { sum: 0.0, product: 1.0 };

    fn multiply(&mut self, factor: f64) {
        self.product *= factor;
        if !PRODUCT.contains(&self.product) {
            self.sum += self.product.ln();
            self.product = 1.0;
        }
    }

    fn value(&self) -> f64 {
        self.sum + self.product.ln()
    }
}

/// The objective at given states; leaves the last ones.
pub(crate) fn sum_of_squares(
    values: &[f64],
    form: Form,
    state: &mut State,
    smoothing: &Smoothing,
    workspace: &mut Workspace,
) -> f64 {
    let relative = form.error == Error::Multiplicative;
    let (mut squares, mut forecasts) = (0.0, LogProduct::ONE);
    let none = &mut workspace.none;
    let whole = if relative {
        pass(values, form.season, state, smoothing, &Slopes::NONE, none, |error, forecast, _| {
            let error = error / forecast;
            squares += error * error;
            forecasts.multiply(forecast);
            forecast > f64::MIN_POSITIVE
        })
    } else {
        pass(values, form.season, state, smoothing, &Slopes::NONE, none, |error, _, _| {
            squares += error * error;
            true
        })
    };
    match (whole, relative) {
        (false, _) => f64::INFINITY,
        (true, false) => squares,
        (true, true) => squares * (2.0 * forecasts.value() / values.len() as f64).exp(),
    }
}

impl SumOfSquares for Objective<'_> {
    fn value(&mut self, point: &[f64]) -> f64 {
        let mut state = self.start(point);
        let (smoothing, _) = self.form.smoothing(&searched(point), self.most_beta);
        let squares = sum_of_squares(self.values, self.form, &mut state, &smoothing, self.workspace);
        self.workspace.season = state.season;
        squares
    }

    fn linearise(&mut self, point: &[f64], matrix: &mut [f64], gradient: &mut [f64]) -> f64 {
        let order = point.len();
        let width = order.div_ceil(4);
        let mut state = self.start(point);
        let (smoothing, slopes) = self.form.smoothing(&searched(point), self.most_beta);
        let relative = self.form.error == Error::Multiplicative;
        let Workspace { tangents, products, .. } = &mut *self.workspace;
        tangents.reset(order, state.season.len());
        products.clear();
        // The rows of the matrix, then the products with the errors, then the sum of the logarithms' derivatives.
        products.resize((order + 2) * width, [0.0; 4]);
        let (mut squares, mut forecasts) = (0.0, LogProduct::ONE);
        let season = self.form.season;
        pass(self.values, season, &mut state, &smoothing, &slopes, tangents, |error, forecast, lanes| {
            let (error, weight) = if relative {
                forecasts.multiply(forecast);
                (error / forecast, forecast.recip())
            } else {
                (error, 1.0)
            };
            squares += error * error;
            let to_residual = if relative { weight * (1.0 + error) } else { 1.0 };
            let square = to_residual * to_residual;
            let (rows, sums) = products.split_at_mut(order * width);
            for (row, products) in rows.chunks_exact_mut(width).enumerate() {
                add(&mut products[..=row / 4], lanes, square * lanes[row / 4][row % 4]);
            }
            let (with_error, logarithms) = sums.split_at_mut(width);
            add(with_error, lanes, to_residual * error);
            if relative {
                add(logarithms, lanes, -weight);
            }
            true
        });
        self.workspace.season = state.season;
        let products: &[Lanes] = &self.workspace.products;
        let product = |row: usize, column: usize| products[row * width + column / 4][column % 4];
        if !relative {
            for row in 0..order {
                gradient[row] = product(order, row);
                for column in 0..=row {
                    matrix[row * order + column] = product(row, column);
                }
            }
            return squares;
        }
        let count = self.values.len() as f64;
        let scale = (2.0 * forecasts.value() / count).exp();
        for row in 0..order {
            let mean = product(order + 1, row) / count;
            gradient[row] = scale * (product(order, row) + squares * mean);
            for column in 0..=row {
                let other = product(order + 1, column) / count;
                matrix[row * order + column] = scale
                    * (product(row, column)
                        + mean * product(order, column)
                        + other * product(order, row)
                        + squares * mean * other);
            }
        }
        scale * squares
    }
}

/// Adds a multiple of the first lanes.
fn add(sums: &mut [Lanes], lanes: &[Lanes], factor: f64) {
    for (sums, lanes) in sums.iter_mut().zip(lanes) {
        for (sum, lane) in sums.iter_mut().zip(lanes) {
            *sum += factor * lane;
        }
    }
}
