//! Exponential smoothing in state space form.
//!
//! With level `l`, slope `b`, season `s` of length `m` and error `e`, the additive forms are
//!
//! ```text
//! y[t] = l[t-1] + phi·b[t-1] + s[t-m] + e[t]
//! l[t] = l[t-1] + phi·b[t-1] + alpha·e[t]
//! b[t] =          phi·b[t-1] + beta·e[t]
//! s[t] = s[t-m] + gamma·e[t]
//! ```
//!
//! without `b` (simple), with `phi` = 1 (Holt) or below 1 (damped), and without `s` where there is no season. The
//! forms with a multiplicative season multiply, and take the error relative to the forecast:
//!
//! ```text
//! y[t] = (l[t-1] + phi·b[t-1]) · s[t-m] · (1 + e[t])
//! l[t] = (l[t-1] + phi·b[t-1]) · (1 + alpha·e[t])
//! b[t] = phi·b[t-1] + beta·(l[t-1] + phi·b[t-1])·e[t]
//! s[t] = s[t-m] · (1 + gamma·e[t])
//! ```
//!
//! The form with the lowest corrected Akaike criterion is kept. Forecast variances: class 1 (additive errors) and,
//! with one correction (see `fitted.rs`), class 3 (multiplicative season) of the source, the latter with a log-normal
//! shape; both are formulas, so no paths are simulated.
//!
//! Sources: Hyndman, Koehler, Ord and Snyder, Forecasting with Exponential Smoothing: The State Space Approach
//! (Springer 2008), chapters 2 to 6; Hyndman, Koehler, Snyder and Grose, A state space framework for automatic
//! forecasting, International Journal of Forecasting 18 (2002); Gardner, Exponential smoothing: the state of the
//! art, Journal of Forecasting 4 (1985), for the damped trend.
//!
//! Differences from the sources:
//!
//! - The initial level and slope of additive forms are the exact least-squares ones for each choice of smoothing
//!   parameters (see `additive.rs`), so the search has at most four dimensions; seasonal states start from a
//!   classical decomposition and are not refined.
//! - beta is at most 0.15 (see `form.rs`): long forecasts pay for slopes that follow every turn.
//! - Multiplicative errors appear only with a multiplicative season; multiplicative trends are left out.
//! - Seasons above 12, and further seasons, are taken out first (see `adjustment.rs`).
//! - A series needs two more values than its smallest form has estimated quantities, which is five.

mod additive;
mod fitted;
mod form;
mod multiplicative;
mod state;
#[cfg(test)]
mod tests;

use tabcast_statistics::{Bounds, minimize};

use self::additive::Workspace;
use self::fitted::SmoothingFit;
use self::form::{Form, Search, Season, Smoothing, Trend};
use self::state::State;
use crate::adjustment::Adjustment;
use crate::{Fit, Model, Series, Unfit};

/// Seasons up to this length are states of the model; longer ones are taken out beforehand, because a search by
/// one-step errors serves forecasts of many short steps badly (hourly M4: OWA .92 against .63).
const LONGEST_SEASON: usize = 12;

/// The registry entry: the best of a list of forms.
pub(crate) struct ExponentialSmoothing {
    pub(crate) name: &'static str,
    trends: &'static [Trend],
}

/// Picks trend and season by the corrected Akaike criterion.
pub(crate) const AUTOMATIC: ExponentialSmoothing =
    ExponentialSmoothing { name: "ets", trends: &[Trend::None, Trend::Additive, Trend::Damped] };
/// Simple exponential smoothing, with a season if there is one.
pub(crate) const SIMPLE: ExponentialSmoothing = ExponentialSmoothing { name: "ses", trends: &[Trend::None] };
/// Holt's linear trend, with a season if there is one.
pub(crate) const HOLT: ExponentialSmoothing =
    ExponentialSmoothing { name: "holt", trends: &[Trend::Additive] };
/// Damped trend, with a season if there is one.
pub(crate) const DAMPED: ExponentialSmoothing =
    ExponentialSmoothing { name: "damped_trend", trends: &[Trend::Damped] };

/// A form fitted to a series, before it is known whether another one is better.
struct Candidate {
    form: Form,
    smoothing: Smoothing,
    start: State,
    criterion: f64,
}

impl Model for ExponentialSmoothing {
    fn name(&self) -> &'static str {
        self.name
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let period = series.season_length;
        let direct = (2..=LONGEST_SEASON).contains(&period) && series.len() > 2 * period;
        let others: Vec<usize> =
            series.usable_periods(3).into_iter().filter(|&other| !direct || other != period).collect();
        let (adjustment, values) = Adjustment::remove(series.values, &others);
        let positive = values.iter().all(|&value| value > 0.0);
        let mut seasons = vec![Season::None];
        if direct {
            seasons.push(Season::Additive);
            if positive {
                seasons.push(Season::Multiplicative);
            }
        }
        let forms =
            seasons.iter().flat_map(|&season| self.trends.iter().map(move |&trend| Form { trend, season }));
        let mut workspace = Workspace::new();
        let best = forms
            .filter_map(|form| fit_form(&values, form, period, &mut workspace))
            .min_by(|a, b| a.criterion.total_cmp(&b.criterion))
            .ok_or(Unfit { reason: "the series is too short for exponential smoothing" })?;
        let degrees = best.form.parameters(period) - 1;
        Ok(Box::new(SmoothingFit::run(best.form, best.smoothing, best.start, &values, adjustment, degrees)))
    }
}

/// Fits one form, unless the series is too short to compare it with others.
fn fit_form(values: &[f64], form: Form, period: usize, workspace: &mut Workspace) -> Option<Candidate> {
    let count = values.len() as f64;
    let parameters = form.parameters(period) as f64;
    let degrees = count - parameters - 1.0;
    if degrees <= 0.0 {
        return None;
    }
    let mut start = State::guess(values, form, period);
    let (smoothing, deviance) = match form.season {
        Season::None | Season::Additive => {
            let trend = form.has_trend();
            let (search, deviance) = optimise(form, |search| {
                let best = workspace.best_start(values, &start, &form.smoothing(search), trend);
                count * floored(best.sum_of_squares, count).ln()
            });
            let smoothing = form.smoothing(&search);
            let best = workspace.best_start(values, &start, &smoothing, trend);
            (start.level, start.slope) = (best.level, best.slope);
            (smoothing, deviance)
        }
        Season::Multiplicative => {
            let mut season = Vec::with_capacity(period);
            let (search, deviance) = optimise(form, |search| {
                multiplicative::deviance(values, &start, &form.smoothing(search), &mut season)
            });
            (form.smoothing(&search), deviance)
        }
    };
    let criterion = deviance + 2.0 * parameters * (1.0 + (parameters + 1.0) / degrees);
    criterion.is_finite().then_some(Candidate { form, smoothing, start, criterion })
}

/// A sum of squares that is safe to take the logarithm of; a perfect fit must not win by minus infinity.
fn floored(sum_of_squares: f64, count: f64) -> f64 {
    sum_of_squares.max(count * 1e-24)
}

/// Searches the smoothing parameters from the best of three starts.
fn optimise(form: Form, mut objective: impl FnMut(&Search) -> f64) -> (Search, f64) {
    let (lower, upper) = form.bounds();
    let start_at = |alpha: f64| {
        let start: Search = [alpha, 0.1, 0.1, 0.95];
        std::array::from_fn(|index| start[index].clamp(lower[index], upper[index]))
    };
    let starts: [Search; 3] = [0.1, 0.4, 0.8].map(start_at);
    let values = starts.map(|start| objective(&start));
    let best = (0..3).min_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or_default();
    let free = form.free().iter().filter(|&&free| free).count();
    let limits = |evaluations| Limits { lower, upper, evaluations };
    match free {
        1 => limits(30).search::<1>(form, starts[best], objective),
        2 => limits(70).search::<2>(form, starts[best], objective),
        3 => limits(110).search::<3>(form, starts[best], objective),
        _ => limits(150).search::<4>(form, starts[best], objective),
    }
}

/// The box of a search over all four parameters, of which a form has only some.
struct Limits {
    lower: Search,
    upper: Search,
    evaluations: usize,
}

impl Limits {
    /// Searches the `N` parameters that the form has.
    fn search<const N: usize>(
        &self,
        form: Form,
        start: Search,
        mut objective: impl FnMut(&Search) -> f64,
    ) -> (Search, f64) {
        let mut places = [0; N];
        for (place, index) in places.iter_mut().zip((0..4).filter(|&index| form.free()[index])) {
            *place = index;
        }
        let gather = |from: &Search| places.map(|place| from[place]);
        let scatter = |point: &[f64; N]| {
            let mut search = start;
            for (&place, &value) in places.iter().zip(point) {
                search[place] = value;
            }
            search
        };
        let bounds = Bounds {
            lower: gather(&self.lower),
            upper: gather(&self.upper),
            value_tolerance: 1e-3,
            evaluations: self.evaluations,
        };
        let (point, value) = minimize(|point| objective(&scatter(point)), gather(&start), 0.15, &bounds);
        (scatter(&point), value)
    }
}
