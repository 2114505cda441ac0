//! Donors: long series that end together, with their histories and forecasts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tabcast_calendar::Micros;

use super::composite::{Rule, rules};
use crate::backtest::Backtest;
use crate::combination::combinations::Combinations;
use crate::history::History;
use crate::learners::cold_start::view::View;
use crate::preset::Preset;
use crate::run::plan::Plan;

/// Maximum number of donors; more add nothing new. `fast` uses fewer so that it stays fast.
const MOST: usize = 64;
const MOST_FAST: usize = 24;
/// Maximum number of histories read to find donors.
const MOST_READ: usize = 256;
/// Fewer donors are no panel.
const LEAST: usize = 3;

/// A donor before one of its windows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Before {
    pub(super) donor: usize,
    /// Number of known values.
    pub(super) length: usize,
    pub(super) expected: Vec<f64>,
    pub(super) season: Vec<f64>,
    pub(super) actual: Vec<f64>,
    /// Whether global models have learned without the window.
    pub(super) is_held_back: bool,
}

/// Long series that end at the same step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Donors {
    /// The last stamp of the donors.
    pub(super) end: Micros,
    /// Indices of the series, ascending.
    pub(super) indices: Vec<usize>,
    /// The known values of each donor.
    pub(super) histories: Vec<History>,
    /// Donors before windows that share their first and last step, keyed by the distance to the end.
    pub(super) windows: Vec<Vec<Before>>,
    /// The rules that can be used with these donors.
    pub(super) rules: Vec<Rule>,
}

impl Donors {
    /// Chooses donors from some series, each with its backtest if it has one: series of at least `shortest` values,
    /// never negative, that end when most of them do. None if these are too few.
    pub(super) fn choose(
        series: &[(usize, Option<&Backtest>)],
        history_of: impl Fn(usize) -> Option<History>,
        shortest: usize,
        plan: &Plan,
        combinations: &Combinations,
    ) -> Option<Self> {
        let long: Vec<(usize, Option<&Backtest>, History)> = series
            .iter()
            .step_by(series.len().div_ceil(MOST_READ).max(1))
            .filter_map(|&(index, backtest)| {
                let history = history_of(index)?;
                Some((index, backtest, history.recent(plan.max_history()).into_owned()))
            })
            .filter(|(_, _, history)| history.values.len() >= shortest && !history.off_grid)
            .filter(|(_, _, history)| history.values.iter().all(|value| *value >= 0.0))
            .collect();
        let mut ends: BTreeMap<Micros, usize> = BTreeMap::new();
        for (_, _, history) in &long {
            *ends.entry(history.future(0, plan.frequency)).or_default() += 1;
        }
        let (&end, _) = ends.iter().max_by_key(|(_, count)| **count)?;
        let together: Vec<(usize, Option<&Backtest>, History)> =
            long.into_iter().filter(|(_, _, history)| history.future(0, plan.frequency) == end).collect();
        if together.len() < LEAST {
            return None;
        }
        let is_fast = plan.preset == Preset::Fast;
        let rules = rules(!is_fast);
        let mut donors = Self { end, rules, ..Self::default() };
        let mut windows: BTreeMap<(usize, usize), Vec<Before>> = BTreeMap::new();
        let every = together.len().div_ceil(if is_fast { MOST_FAST } else { MOST });
        for (index, backtest, history) in together.into_iter().step_by(every) {
            let count = history.values.len();
            for window in backtest.iter().flat_map(|backtest| &backtest.windows) {
                let expected = backtest.and_then(|of| of.mean(&window.held_back, plan, combinations));
                let Some(expected) = expected else { continue };
                windows
                    .entry((count - window.held_back.start, count - window.held_back.end))
                    .or_default()
                    .push(Before {
                        donor: donors.indices.len(),
                        length: window.held_back.start,
                        expected: non_negative(expected),
                        season: usual_season(&history.values[..window.held_back.start], plan.season),
                        actual: window.actual.clone(),
                        is_held_back: true,
                    });
            }
            donors.indices.push(index);
            donors.histories.push(history);
        }
        donors.windows = windows.into_values().collect();
        Some(donors)
    }

    /// Length of the shortest donor history.
    pub(super) fn shortest(&self) -> usize {
        self.histories.iter().map(|history| history.values.len()).min().unwrap_or(0)
    }

    /// Whether there are enough donors before a window to leave one out.
    pub(super) fn is_panel(window: &[Before]) -> bool {
        window.len() > LEAST
    }

    /// The donors before one window, without the donor under test.
    pub(super) fn views_before<'a>(
        &'a self,
        window: &'a [Before],
        without: usize,
    ) -> impl Iterator<Item = View<'a>> {
        window.iter().filter(move |before| before.donor != without).map(move |before| View {
            past: &self.histories[before.donor].values[..before.length],
            ahead: &before.expected,
            season: &before.season,
        })
    }
}

/// The mean of the last seasons at each position, starting with the position of the step after the values.
pub(super) fn usual_season(values: &[f64], season: usize) -> Vec<f64> {
    const SEASONS: usize = 8;
    let season = season.max(1);
    let count = values.len();
    let of = |place: usize| {
        let at = (1..=SEASONS).filter_map(|back| (count + place).checked_sub(back * season));
        let (sum, seen) =
            at.map(|at| values[at]).fold((0.0, 0.0), |(sum, seen), value| (sum + value, seen + 1.0));
        if seen > 0.0 { sum / seen } else { 0.0 }
    };
    (0..season).map(of).collect()
}

/// A season repeated for some steps.
pub(super) fn repeated(season: &[f64], steps: usize) -> Vec<f64> {
    season.iter().copied().cycle().take(steps).collect()
}

/// Donors are never negative, so their forecasts must not be.
pub(super) fn non_negative(mut values: Vec<f64>) -> Vec<f64> {
    for value in &mut values {
        *value = value.max(0.0);
    }
    values
}
