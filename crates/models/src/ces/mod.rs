//! Complex exponential smoothing.
//!
//! The level is the real part of a complex state whose imaginary part `c`, the information potential, holds what the
//! level does not explain. With alpha = a0 + i·a1 and error `e`,
//!
//! ```text
//! y[t] = l[t-1] + e[t]
//! l[t] = l[t-1] - (1 - a1)·c[t-1] + (a0 - a1)·e[t]
//! c[t] = l[t-1] + (1 - a0)·c[t-1] + (a0 + a1)·e[t]
//! ```
//!
//! All kinds of levels and trends are special cases, so there is no choice between them. Seasonal forms: `Simple` has
//! lag m for lag 1 everywhere; `Partial` adds a season `s[t] = s[t-m] + b0·e[t]` to the forecast; `Full` adds the real
//! part of a second complex state, with lag m and parameter beta = b0 + i·b1. The form with the lowest corrected Akaike
//! criterion is kept. All are linear with additive errors, so the forecast variance is the sum of the squared responses
//! of the states to an error.
//!
//! Source: Svetunkov, Kourentzes and Ord, Complex exponential smoothing, Naval Research Logistics 69 (2022).
//!
//! As there, the starting states come from a pass forward from rough ones, a pass back and a step without error, and do
//! not count in the criterion. (Least-squares starting states fit better but forecast worse: quarterly MASE 1.163
//! against 1.156, both without the step.)
//!
//! Differences from the source:
//!
//! - The search is nonlinear least squares with exact derivatives, which run beside the recursions, from two or three
//!   starts for the forms that may be the best one: many series have several minima. Forecasts are about as good
//!   without the further starts ([`Series::one_start`]), and `fast` takes 35 % less time. Its MASE on M4 is 3.108 for
//!   3.107 on yearly, 1.082 for 1.081 on quarterly, 1.043 for 1.042 on monthly and 2.181 for 2.184 on weekly series.
//! - alpha lies where the errors forget the starting states, .03 of its imaginary part from the edge, because the best
//!   point of many series is on that edge and forecasts worse the nearer it is (relative error of yearly, quarterly and
//!   monthly M4 series, with two starts for every form: at the edge itself .862, .950, 1.518; at .03 .858, .947,
//!   1.514); and no parameter lets forecasts grow by more than 10 % a step or 20 % a cycle; see `form.rs`. Against 5 %
//!   a step whatever the season, yearly MASE falls from 3.28 to 3.20 and the relative error of 60 hourly series from
//!   .94 to .85.
//! - Seasons above 24, and further seasons, are taken out first (see `adjustment.rs`).
//! - A series needs five values.

mod fitted;
mod form;
pub(crate) mod likelihood;
mod recursion;
mod search;
#[cfg(test)]
mod tests;

use tabcast_statistics::{LeastSquares, Stop};

use self::fitted::ComplexFit;
use self::form::{Form, Point};
use self::search::Objective;
use crate::adjustment::Adjustment;
use crate::{Fit, Model, Series, Unfit};

/// Seasons up to this length are states of the model.
const LONGEST_SEASON: usize = 24;

/// Lower limit of the mean square, so that a perfect fit does not win with minus infinity.
const SMALLEST_MEAN_SQUARE: f64 = 1e-24;

/// Forms whose criterion exceeds the best one's by this much are not searched for further minima.
const HOPELESS: f64 = 2.0;

const STOP: Stop = Stop { reduction: 1e-6, steps: 40 };

/// A search from a further start pauses after a few steps to check whether it is approaching a known minimum.
const TRIAL: Stop = Stop { steps: 6, ..STOP };
const NEAR: f64 = 0.02;

/// The registry entry.
pub(crate) struct ComplexSmoothing;

/// A fitted form that competes with the others.
struct Candidate {
    form: Form,
    point: Point,
    squares: f64,
    criterion: f64,
}

impl Model for ComplexSmoothing {
    fn name(&self) -> &'static str {
        "ces"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let period = series.season_length;
        let direct = (2..=LONGEST_SEASON).contains(&period) && series.len() > 2 * period;
        let others: Vec<usize> =
            series.usable_periods(3).into_iter().filter(|&other| !direct || other != period).collect();
        let (adjustment, values) = Adjustment::remove(series.values, &others);
        let forms: &[Form] =
            if direct { &[Form::None, Form::Simple, Form::Partial, Form::Full] } else { &[Form::None] };
        let mut search = LeastSquares::new();
        let mut candidates: Vec<Candidate> = forms
            .iter()
            .filter(|_| !series.interrupt.is_set())
            .filter_map(|&form| Candidate::first(&values, form, period, &mut search))
            .collect();
        let lowest = candidates.iter().map(|candidate| candidate.criterion).fold(f64::INFINITY, f64::min);
        for candidate in &mut candidates {
            series.interrupt.check()?;
            if !series.one_start && candidate.criterion <= lowest + HOPELESS {
                candidate.improve(&values, period, &mut search);
            }
        }
        let best = candidates
            .into_iter()
            .min_by(|a, b| a.criterion.total_cmp(&b.criterion))
            .ok_or(Unfit { reason: "the series is too short for complex exponential smoothing" })?;
        let mut objective = Objective::new(&values, best.form, period);
        let parameters = objective.parameters(&best.point);
        let start = objective.start(&parameters).clone();
        Ok(Box::new(ComplexFit::run(best.form, parameters, start, &values, adjustment)))
    }
}

impl Candidate {
    /// Fits one form by a search from the first of its starts; none if the series is too short for the comparison.
    fn first(values: &[f64], form: Form, period: usize, search: &mut LeastSquares) -> Option<Self> {
        let mut objective = Objective::new(values, form, period);
        let mut point = objective.region.nearest(&form.starts()[0]);
        let squares = objective.descend(&mut point, search, STOP);
        let criterion = criterion(form, squares, values.len())?;
        Some(Self { form, point, squares, criterion })
    }

    /// Searches from the other starts too.
    fn improve(&mut self, values: &[f64], period: usize, search: &mut LeastSquares) {
        let mut objective = Objective::new(values, self.form, period);
        for start in &self.form.starts()[1..] {
            let mut point = objective.region.nearest(start);
            let mut squares = objective.descend(&mut point, search, TRIAL);
            if squares < self.squares || !near(&self.point, &point) {
                squares = objective.descend(&mut point, search, STOP);
            }
            if squares < self.squares
                && let Some(criterion) = criterion(self.form, squares, values.len())
            {
                *self = Self { form: self.form, point, squares, criterion };
            }
        }
    }
}

/// The corrected Akaike criterion; none for series that are too short.
fn criterion(form: Form, squares: f64, length: usize) -> Option<f64> {
    let (count, counted) = (length as f64, form.counted() as f64);
    let degrees = count - counted - 1.0;
    let criterion = count * squares.max(count * SMALLEST_MEAN_SQUARE).ln()
        + 2.0 * counted * (1.0 + (counted + 1.0) / degrees);
    (degrees > 0.0 && criterion.is_finite()).then_some(criterion)
}

/// Whether two points probably lie in the same valley, judged by their distance.
fn near(a: &Point, b: &Point) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < NEAR)
}
