//! The global models of a panel at two times, and their training series.

use serde::{Deserialize, Serialize};
use tabcast_calendar::{Frequency, Micros};
use tabcast_models::Forecast;

use super::learner::{Aim, Effort, MOST_BINS};
use super::model::{GlobalModel, Task};
use super::{NAMES, season};
use crate::backtest::window_bounds;
use crate::covariates::effect::LONGEST_EXPLAINED;
use crate::covariates::engineered::Recipe;
use crate::history::History;
use crate::history::class::Class;
use crate::learners::ridge::{self, RidgeModel};
use crate::preset::Preset;
use crate::run::plan::Plan;

/// A panel of fewer series has few training rows. With steps above a week, it is not worth the time of `balanced`.
const LEAST_SERIES: usize = 24;
/// A year, less a little: 52 weeks are one.
const YEAR: Micros = 364 * 24 * 3_600 * 1_000_000;
/// Business days of a year.
const BUSINESS_DAYS: usize = 260;
/// Maximum number of training values, including covariates: they stay in memory.
const MOST_VALUES: usize = 20_000_000;
/// Steps older than this are not used for training, however few series there are.
const LONGEST: usize = 50_000;

/// A history to train on.
pub(crate) struct TrainingSeries {
    /// Index of the series.
    pub(crate) index: usize,
    history: History,
    /// Number of its values before all held-back windows.
    before_windows: usize,
}

impl TrainingSeries {
    /// None if there is nothing to learn.
    pub(crate) fn of(index: usize, history: History, plan: &Plan) -> Option<Self> {
        let local = history.values.len().min(plan.max_history());
        let class = Class::of(&history.values[history.values.len() - local..], plan.season, &plan.periods);
        if !class.has_models() || history.off_grid {
            return None;
        }
        let length = history.values.len();
        let before_windows = window_bounds(length, plan).last().map_or(length, |window| window.start);
        Some(Self { index, history, before_windows })
    }
}

/// A global model: trees, or in `fast` a linear model of the requested features.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Common {
    Trees(Box<GlobalModel>),
    Linear(Box<RidgeModel>),
}

impl Common {
    /// The forecasts of the members in the order of [`names`]; see [`GlobalModel::forecast`].
    pub(crate) fn forecast(
        &self,
        history: &History,
        length: usize,
        code: Option<usize>,
        horizon: usize,
    ) -> [Option<Forecast>; NAMES.len()] {
        match self {
            Self::Trees(trees) => trees.forecast(history, length, code, horizon),
            Self::Linear(ridge) => [ridge.forecast(history, length, horizon), None],
        }
    }

    /// Number of training rows.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Trees(trees) => trees.rows(),
            Self::Linear(ridge) => ridge.rows(),
        }
    }

    /// Number of features of a row.
    pub(crate) fn features(&self) -> usize {
        match self {
            Self::Trees(trees) => trees.features(),
            Self::Linear(ridge) => ridge.features(),
        }
    }
}

/// Names of a preset's global members.
pub(crate) fn names(preset: Preset) -> &'static [&'static str] {
    match preset {
        Preset::Fast => &[ridge::NAME],
        Preset::Balanced => &NAMES[..1],
        Preset::Best => &NAMES,
    }
}

/// A model without the held-back windows, and the same model with all values.
#[derive(Debug, Serialize, Deserialize)]
struct Pair {
    before_windows: Option<Common>,
    whole: Common,
}

/// Empty if the preset has no global member, or there was too little to learn from.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct GlobalPanel {
    pair: Option<Pair>,
    /// Number of training series.
    series: usize,
    /// Index of each training series, ascending, and its number among them.
    codes: Vec<(usize, usize)>,
}

/// Whether the preset uses global members for a panel.
pub(crate) fn joins(plan: &Plan, series: usize, columns: usize) -> bool {
    plan.global_member
        && match plan.preset {
            Preset::Fast => plan.recipe.is_some(),
            Preset::Balanced => {
                series >= LEAST_SERIES || plan.is_weekly_or_shorter() || columns > 0 || plan.recipe.is_some()
            }
            Preset::Best => true,
        }
}

/// Number of steps that the global members use of each of `series` histories with `columns` covariates.
pub(crate) fn longest_history(plan: &Plan, series: usize, columns: usize) -> usize {
    let least = plan.max_history();
    let longest = match plan.preset {
        Preset::Best => LONGEST,
        // The effects of covariates are learned from equally long histories.
        _ if columns > 0 => LONGEST_EXPLAINED,
        _ => least,
    };
    (MOST_VALUES / series.max(1) / (columns + 1)).clamp(least, longest.max(least))
}

/// Whether half of the histories have a year or more. Below that, what all series had in common for a few weeks is
/// taken for what they always have.
fn spans_a_year(lengths: &[usize], frequency: Frequency) -> bool {
    let is_year = |length: usize| match frequency.fixed_micros() {
        Some(step) => length as Micros * step >= YEAR,
        None => length >= BUSINESS_DAYS,
    };
    2 * lengths.iter().filter(|&&length| is_year(length)).count() >= lengths.len()
}

/// How much to learn; `is_small`: few series of days or weeks without features, for which `balanced` needs fewer
/// rows.
pub(crate) fn effort(preset: Preset, is_small: bool) -> Effort {
    match preset {
        Preset::Best => Effort {
            rows: 250_000,
            bins: MOST_BINS,
            rounds: 300,
            learning_rate: 0.05,
            leaves: 31,
            is_recursive: true,
            aim: Aim::Robust,
        },
        _ => Effort {
            rows: if is_small { 20_000 } else { 60_000 },
            bins: if is_small { 63 } else { MOST_BINS },
            rounds: 100,
            learning_rate: 0.1,
            leaves: 31,
            is_recursive: false,
            aim: Aim::Robust,
        },
    }
}

impl GlobalPanel {
    /// Trains on the training series in their order. If `stop` interrupts it there is no member, because a member
    /// without a backtest must not forecast.
    pub(crate) fn learn(
        training_series: &[TrainingSeries],
        plan: &Plan,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let lengths: Vec<usize> = training_series.iter().map(|series| series.history.values.len()).collect();
        let (season, long) = season::of(&lengths, plan);
        let recipe = plan.recipe.as_deref().cloned().unwrap_or(Recipe { time: true, ..Recipe::default() });
        let task = Task { frequency: plan.frequency, horizon: plan.horizon, season, long, recipe };
        let has_regressors = training_series.iter().any(|series| !series.history.regressors.is_empty());
        let is_small = training_series.len() < LEAST_SERIES
            && !plan.is_high_frequency()
            && !has_regressors
            && plan.recipe.is_none();
        if is_small && plan.preset != Preset::Fast && !spans_a_year(&lengths, plan.frequency) {
            return Self::default();
        }
        let learn = |length: &dyn Fn(&TrainingSeries) -> usize| {
            let histories: Vec<(&History, usize)> =
                training_series.iter().map(|series| (&series.history, length(series))).collect();
            match plan.preset {
                Preset::Fast => {
                    let layout = ridge::Layout::of(&task, &histories);
                    RidgeModel::learn(&histories, layout, stop).map(|ridge| Common::Linear(Box::new(ridge)))
                }
                _ => GlobalModel::learn(&histories, &task, effort(plan.preset, is_small), stop)
                    .map(|trees| Common::Trees(Box::new(trees))),
            }
        };
        let before_windows = if plan.windows > 0 { learn(&|series| series.before_windows) } else { None };
        let is_judged = before_windows.is_some();
        let whole = is_judged.then(|| learn(&|series| series.history.values.len())).flatten();
        Self {
            pair: whole.map(|whole| Pair { before_windows, whole }),
            series: training_series.len(),
            codes: training_series.iter().enumerate().map(|(code, series)| (series.index, code)).collect(),
        }
    }

    /// The model that has not seen the held-back windows.
    pub(crate) fn before_windows(&self) -> Option<&Common> {
        self.pair.as_ref()?.before_windows.as_ref()
    }

    /// The model trained on everything.
    pub(crate) fn whole(&self) -> Option<&Common> {
        self.pair.as_ref().map(|pair| &pair.whole)
    }

    /// The number of a series among the training series.
    pub(crate) fn code(&self, index: usize) -> Option<usize> {
        let place = self.codes.binary_search_by_key(&index, |(index, _)| *index).ok()?;
        Some(self.codes[place].1)
    }

    /// Gives the series the indices that they have in another dataset; `place_of` keeps their order.
    pub(crate) fn renumber(&mut self, place_of: impl Fn(usize) -> Option<usize>) {
        let codes = self.codes.iter().filter_map(|&(index, code)| Some((place_of(index)?, code)));
        self.codes = codes.collect();
    }

    /// Number of training series.
    pub(crate) fn series(&self) -> usize {
        self.series
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn plan() -> Plan {
        Plan {
            frequency: Frequency::parse("QS").expect("a frequency"),
            preset: Preset::Best,
            horizon: 6,
            season: 4,
            periods: vec![4],
            history: 5_000,
            global_member: true,
            recipe: None,
            windows: 3,
            levels: Vec::new(),
            requested: Vec::new(),
            band: (0, 0),
            cancel: Arc::default(),
            deadline: None,
        }
    }

    /// Wavy series with a covariate; their last `changed` steps deviate strongly. The covariate is known in advance.
    fn training_series(plan: &Plan, changed: usize) -> Vec<TrainingSeries> {
        (0..40)
            .map(|series| {
                let step = |t: u32| f64::from((t * (series + 3) + t * t) % 17);
                let far = |t: u32| if t as usize >= 60 - changed { 40.0 } else { 0.0 };
                let values = (0..60).map(|t| 20.0 + step(t) + f64::from(series) + far(t)).collect();
                let regressors = vec![(0..66).map(|t| step(t + 1)).collect()];
                let history = History { values, regressors, steps: 59, ..History::default() };
                TrainingSeries::of(series as usize, history, plan).expect("training series")
            })
            .collect()
    }

    #[test]
    fn the_model_for_the_windows_knows_nothing_of_them() {
        let plan = plan();
        let first = window_bounds(60, &plan).last().expect("windows").start;
        let asked = training_series(&plan, 0).swap_remove(7).history;
        let say = |changed: usize| {
            let panel = GlobalPanel::learn(&training_series(&plan, changed), &plan, &|| false);
            let of = |model: Option<&Common>| model.expect("a model").forecast(&asked, 40, Some(7), 6);
            (of(panel.before_windows()), of(panel.whole()))
        };
        let ((before, whole), (before_changed, whole_changed)) = (say(0), say(60 - first));
        assert_eq!(before, before_changed);
        assert_ne!(whole, whole_changed);
        assert!(before.iter().all(Option::is_some));
    }

    #[test]
    fn what_comes_after_the_origin_is_not_looked_at() {
        let plan = plan();
        let panel = GlobalPanel::learn(&training_series(&plan, 0), &plan, &|| false);
        let model = panel.whole().expect("a model");
        let asked = training_series(&plan, 0).swap_remove(3).history;
        let mut other = asked.clone();
        other.values[40..].fill(1e6);
        assert_eq!(model.forecast(&asked, 40, Some(3), 6), model.forecast(&other, 40, Some(3), 6));
    }

    #[test]
    fn few_series_of_less_than_a_year_of_days_teach_nothing() {
        let learns = |preset, days: usize| {
            let plan = Plan {
                frequency: Frequency::parse("D").expect("a frequency"),
                preset,
                season: 7,
                periods: vec![7],
                ..plan()
            };
            let series = (0..5).map(|series| {
                let values =
                    (0..days).map(|day| (20 + day % 7 * (series + 1)) as f64 + (day % 5) as f64).collect();
                let history = History { values, steps: days as i64 - 1, ..History::default() };
                TrainingSeries::of(series, history, &plan).expect("training series")
            });
            GlobalPanel::learn(&series.collect::<Vec<_>>(), &plan, &|| false).whole().is_some()
        };
        assert!(!learns(Preset::Balanced, 300) && !learns(Preset::Best, 300));
        assert!(learns(Preset::Balanced, 400));
    }

    #[test]
    fn an_interruption_and_other_presets_give_no_member() {
        let plan = plan();
        assert!(GlobalPanel::learn(&training_series(&plan, 0), &plan, &|| true).whole().is_none());
        assert!(!joins(&plan.with_preset(Preset::Fast), 1_000, 3));
        assert!(!joins(&plan.with_preset(Preset::Balanced), LEAST_SERIES - 1, 0));
        let weekly = Plan { frequency: Frequency::parse("W-SUN").expect("a frequency"), ..plan.clone() };
        assert!(joins(&weekly.with_preset(Preset::Balanced), 1, 0));
        assert!(joins(&plan.with_preset(Preset::Balanced), 1, 1));
    }
}
