//! Learns the cold-start blends of a panel and forecasts its short series.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::blend_rule::BlendRule;
use super::composite::{Composite, composite, level};
use super::cut::Cut;
use super::donors::{Before, Donors, non_negative, repeated, usual_season};
use super::older::older;
use super::trees::trees;
use crate::backtest::Backtest;
use crate::history::History;
use crate::history::class::Class;
use crate::history::closed::closed_steps;
use crate::intervals::guard::Guard;
use crate::learners::cold_start::view::View;
use crate::preset::Preset;
use crate::run::plan::Plan;
use crate::run::series_forecast::{Known, SeriesForecast, forecast_series};
use crate::run::timers::Timers;

/// Lengths to which long series are cut; the blend of a length serves the lengths around it.
const LENGTHS: [usize; 9] = [3, 5, 8, 12, 18, 27, 40, 60, 90];
/// A series with two whole seasons is not short, provided that it has at least this many observations.
const LEAST_LIMIT: usize = 24;
/// With this many observations a series is not short, even if seasons are long.
const MOST_LIMIT: usize = 96;
/// A short series may end this many steps before the donors in any case, or up to a season.
const LEAST_LATE: usize = 3;
/// Maximum number of cuts per length, before backtest windows and before older stretches.
const MOST_CUTS: usize = 192;
const MOST_OLDER_CUTS: usize = 96;

/// Empty if the panel has no short series, or no long ones that end together.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct ColdStart {
    donors: Donors,
    /// Forecasts of the donors, in their order.
    ahead: Vec<Vec<f64>>,
    /// Usual season of each donor, starting with the position of the first step after its end.
    seasons: Vec<Vec<f64>>,
    training_series: Vec<BlendRule>,
}

/// Series with at most this many observations are short.
fn limit(plan: &Plan) -> usize {
    (2 * plan.season).clamp(LEAST_LIMIT, MOST_LIMIT) - 1
}

/// Series with at least this many observations may be donors.
pub(crate) fn shortest_donor(plan: &Plan) -> usize {
    2 * limit(plan)
}

impl ColdStart {
    /// Whether a panel of series with these numbers of rows has short series that could borrow from long ones.
    pub(crate) fn is_of_use(rows: &[usize], plan: &Plan) -> bool {
        // Without a season there is little to borrow but growth, which yearly series do not share.
        !plan.periods.is_empty() && rows.iter().any(|rows| (2..=limit(plan)).contains(rows))
    }

    /// Learns from some series, each with its backtest if it has one, for series with the given numbers of rows. Learns
    /// nothing once `stop` is set.
    pub(crate) fn learn(
        series: &[(usize, Option<&Backtest>)],
        rows: &[usize],
        history_of: impl Fn(usize) -> Option<History> + Sync,
        known: &Known<'_>,
        code: impl Fn(usize) -> Option<usize> + Sync,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let Known { plan, combinations, .. } = *known;
        let limit = limit(plan);
        let mut wanted = [false; LENGTHS.len()];
        for &rows in rows.iter().filter(|rows| (2..=limit).contains(*rows)) {
            wanted[nearest(rows)] = true;
        }
        if series.is_empty() || !Self::is_of_use(rows, plan) {
            return Self::default();
        }
        let Some(mut donors) = Donors::choose(series, &history_of, shortest_donor(plan), plan, combinations)
        else {
            return Self::default();
        };
        let older = older(&donors, limit + plan.season, plan, stop);
        donors.windows.extend(older);
        donors.windows.retain(|window| Donors::is_panel(window));
        let places: Vec<(usize, usize)> =
            [places(&donors, true, MOST_CUTS), places(&donors, false, MOST_OLDER_CUTS)].concat();
        let training_series = LENGTHS
            .iter()
            .zip(wanted)
            .filter(|(_, wanted)| *wanted)
            .filter_map(|(&length, _)| {
                let cuts: Vec<Option<Cut>> = places
                    .par_iter()
                    .filter(|_| !stop())
                    .map(|&(window, place)| Cut::new(&donors, &donors.windows[window], place, length, known))
                    .collect();
                let cuts: Vec<Cut> = cuts.into_iter().flatten().collect();
                BlendRule::learn(length, &cuts, donors.rules.len())
            })
            .collect();
        let season = |history: &History| usual_season(&history.values, plan.season);
        let seasons: Vec<Vec<f64>> = donors.histories.iter().map(season).collect();
        let ahead: Vec<Vec<f64>> = donors
            .indices
            .par_iter()
            .zip(&seasons)
            .filter(|_| !stop())
            .filter_map(|(&index, season)| {
                if plan.preset == Preset::Fast {
                    return Some(repeated(season, plan.horizon));
                }
                let history = history_of(index)?;
                Some(non_negative(forecast_series(&history, code(index), known, &Timers::default()).mean))
            })
            .collect();
        if stop() || ahead.len() < donors.indices.len() {
            return Self::default();
        }
        Self { donors, ahead, seasons, training_series }
    }

    /// Blends the forecast of a short series with that of its donors. `series_forecast`, from its own models, stays as
    /// it is if the series is not short or resembles no donor.
    pub(crate) fn complete(
        &self,
        history: &History,
        known: &Known<'_>,
        series_forecast: SeriesForecast,
    ) -> SeriesForecast {
        self.said(history, known, &series_forecast).unwrap_or(series_forecast)
    }

    fn said(
        &self,
        history: &History,
        known: &Known<'_>,
        series_forecast: &SeriesForecast,
    ) -> Option<SeriesForecast> {
        let plan = known.plan;
        let values = history.values.as_slice();
        let is_short = (2..=limit(plan)).contains(&values.len());
        let is_known = matches!(series_forecast.class, Class::Constant | Class::Line);
        if !is_short || is_known || history.off_grid || values.iter().any(|value| *value < 0.0) {
            return None;
        }
        let rule = self
            .training_series
            .iter()
            .min_by(|a, b| distance(a.length, values.len()).total_cmp(&distance(b.length, values.len())))?;
        let late = self.late(history, plan)?;
        let futures: Vec<Vec<f64>> = self
            .donors
            .histories
            .iter()
            .zip(&self.ahead)
            .map(|(History { values, .. }, ahead)| {
                let seen = values[values.len() - late..].iter();
                seen.chain(ahead).copied().take(plan.horizon).collect()
            })
            .collect();
        let seasons: Vec<Vec<f64>> = self.seasons.iter().map(|season| rotated(season, late)).collect();
        let composites: Vec<Option<Composite>> = rule
            .chosen(&self.donors.rules)
            .map(|rule| {
                let views = self.donors.histories.iter().zip(&futures).zip(&seasons);
                let views = views.map(|((History { values, .. }, ahead), season)| View {
                    past: &values[..values.len() - late],
                    ahead,
                    season,
                });
                composite(values, views, rule?)
            })
            .collect();
        let model = known.global.whole().filter(|_| rule.asks_trees());
        let trees = model.and_then(|model| trees(model, history, plan));
        let blend = rule.blend(&composites, &series_forecast.mean, trees.as_deref(), level(values, 1.0))?;
        let guard =
            Guard::new(values, plan).without_width().with_closed(closed_steps(history, values.len(), plan));
        let mut completed = SeriesForecast { mean: Vec::new(), quantiles: Vec::new(), ..*series_forecast };
        let mut quantiles = vec![0.0; plan.levels.len()];
        for (step, &mean) in blend.mean.iter().enumerate() {
            for (quantile, &(_, score)) in quantiles.iter_mut().zip(&plan.levels) {
                let value = rule.calibration.quantile(step, score, blend.band(step));
                *quantile = value.clamp(-f64::MAX, f64::MAX);
            }
            completed.mean.push(guard.hold(step, mean, &mut quantiles));
            completed.quantiles.extend(plan.requested.iter().map(|&at| quantiles[at]));
        }
        (completed.mean.len() == plan.horizon).then_some(completed)
    }

    /// Number of steps by which a series ended before the donors; none if it is off their grid, ended later, or ended
    /// more than a season before.
    fn late(&self, history: &History, plan: &Plan) -> Option<usize> {
        let frequency = plan.frequency;
        let steps = frequency.steps_between(history.future(0, frequency), self.donors.end)?;
        let latest =
            plan.season.max(LEAST_LATE).min(self.donors.shortest().saturating_sub(history.values.len()));
        usize::try_from(steps).ok().filter(|steps| *steps <= latest)
    }
}

/// Where donors are cut, as pairs of a window index and the index of a donor before it: for held-back windows, or for
/// the others.
fn places(donors: &Donors, is_held_back: bool, most: usize) -> Vec<(usize, usize)> {
    let all: Vec<(usize, usize)> = donors
        .windows
        .iter()
        .enumerate()
        .flat_map(|(window, of)| of.iter().enumerate().map(move |(place, before)| ((window, place), before)))
        .filter(|(_, Before { is_held_back: is, .. })| *is == is_held_back)
        .map(|(at, _)| at)
        .collect();
    all.iter().copied().step_by(all.len().div_ceil(most).max(1)).collect()
}

/// A season that starts some steps earlier.
fn rotated(season: &[f64], steps: usize) -> Vec<f64> {
    let mut season = season.to_vec();
    let count = season.len();
    season.rotate_right(steps % count);
    season
}

/// Index of the length that is nearest in proportion.
fn nearest(count: usize) -> usize {
    let order = |a: &usize, b: &usize| distance(LENGTHS[*a], count).total_cmp(&distance(LENGTHS[*b], count));
    (0..LENGTHS.len()).min_by(order).unwrap_or(0)
}

fn distance(length: usize, count: usize) -> f64 {
    (length as f64 / count as f64).ln().abs()
}
