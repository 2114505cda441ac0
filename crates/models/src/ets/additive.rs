//! Forms with additive errors: their initial level and slope are solved for, not searched.
//!
//! Given the smoothing parameters, every one-step error is a linear function of the initial states. So one pass
//! runs three recursions side by side: the series from a guessed start, and the responses of the errors to one
//! unit of initial level and of initial slope. A two by two least-squares problem then gives the best start, and
//! the optimiser only sees the smoothing parameters.

use super::form::Smoothing;
use super::state::State;

/// Holds the start near its guess where the errors do not determine it.
const RIDGE: f64 = 1e-8;

/// Three recursions and one unused lane, so that the compiler keeps a step in two or four vector registers.
type Lanes = [f64; 4];

/// Working storage for the seasonal states, reused by all evaluations of a fit.
pub(crate) struct Workspace {
    season: Vec<Lanes>,
}

/// The best start for one choice of smoothing parameters.
pub(crate) struct Start {
    pub(crate) level: f64,
    pub(crate) slope: f64,
    pub(crate) sum_of_squares: f64,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        Self { season: Vec::new() }
    }

    /// Solves for the start that minimises the sum of squared one-step errors; `guess` gives the seasonal
    /// states (empty without a season) and the point that the other two are measured from.
    pub(crate) fn best_start(
        &mut self,
        values: &[f64],
        guess: &State,
        smoothing: &Smoothing,
        trend: bool,
    ) -> Start {
        let products = if guess.season.is_empty() {
            products::<false>(values, guess, smoothing, &mut [])
        } else {
            self.season.clear();
            self.season.extend(guess.season.iter().map(|&season| [season, 0.0, 0.0, 0.0]));
            products::<true>(values, guess, smoothing, &mut self.season)
        };
        let [ee, el, eb, ll, lb, bb] = products;
        let (ll, bb) = (ll + RIDGE, bb + RIDGE);
        let determinant = ll * bb - lb * lb;
        let slope =
            if trend && determinant > ll * bb * 1e-14 { (lb * el - ll * eb) / determinant } else { 0.0 };
        let level = -(el + slope * lb) / ll;
        let sum_of_squares = ee
            + 2.0 * (level * el + slope * eb)
            + level * level * ll
            + 2.0 * level * slope * lb
            + slope * slope * bb;
        Start {
            level: guess.level + level,
            slope: guess.slope + slope,
            sum_of_squares: sum_of_squares.max(0.0),
        }
    }
}

/// The sums of products of the errors (e) with the responses to the initial level (l) and slope (b):
/// ee, el, eb, ll, lb, bb.
fn products<const SEASONAL: bool>(
    values: &[f64],
    guess: &State,
    smoothing: &Smoothing,
    season: &mut [Lanes],
) -> [f64; 6] {
    let Smoothing { alpha, beta, gamma, phi } = *smoothing;
    let mut level: Lanes = [guess.level, 1.0, 0.0, 0.0];
    let mut slope: Lanes = [guess.slope, 0.0, 1.0, 0.0];
    let mut squares: Lanes = [0.0; 4];
    let mut crossed: Lanes = [0.0; 4];
    let mut phase = 0;
    for &value in values {
        let mut error: Lanes = [value, 0.0, 0.0, 0.0];
        for lane in 0..4 {
            let faded = phi * slope[lane];
            let trend = level[lane] + faded;
            error[lane] -= if SEASONAL { trend + season[phase][lane] } else { trend };
            level[lane] = trend + alpha * error[lane];
            slope[lane] = faded + beta * error[lane];
            if SEASONAL {
                season[phase][lane] += gamma * error[lane];
            }
        }
        let turned = [error[1], error[2], error[0], 0.0];
        for lane in 0..4 {
            squares[lane] += error[lane] * error[lane];
            crossed[lane] += error[lane] * turned[lane];
        }
        if SEASONAL {
            phase += 1;
            if phase == season.len() {
                phase = 0;
            }
        }
    }
    [squares[0], crossed[0], crossed[2], squares[1], crossed[1], squares[2]]
}
