//! The models of a panel at two times, and which series they have learned from.

use tabcast_models::Forecast;

use super::learner::{Aim, Effort};
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

/// Without covariates, fewer series than this are not worth the time of `balanced`.
const LEAST_SERIES: usize = 24;
/// Values that are learned from at most, covariates included: what is kept in memory for it.
const MOST_VALUES: usize = 20_000_000;
/// Older steps than this are not learned from, however few series there are.
const LONGEST: usize = 50_000;

/// A history that the models learn from.
pub(crate) struct TrainingSeries {
    /// The number of the series.
    pub(crate) index: usize,
    history: History,
    /// How many of its values come before all of the windows that are held back.
    before_windows: usize,
}

impl TrainingSeries {
    /// None where there is nothing to learn.
    pub(crate) fn of(index: usize, history: History, plan: &Plan) -> Option<Self> {
        let local = history.values.len().min(plan.max_history());
        let class = Class::of(&history.values[history.values.len() - local..], plan.season, &plan.periods);
        if !class.has_models() || history.off_grid {
            return None;
        }
        let start = window_bounds(local, plan).last().map_or(local, |window| window.start);
        let before_windows = history.values.len() - local + start;
        Some(Self { index, history, before_windows })
    }
}

/// A model of all series: trees, or in `fast` a linear one of the features that the client asked for.
#[derive(Debug)]
pub(crate) enum Common {
    Trees(Box<GlobalModel>),
    Linear(Box<RidgeModel>),
}

impl Common {
    /// The forecasts of the members in the order of [`names`], as [`GlobalModel::forecast`] has them.
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

    /// Rows that were learned from.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Trees(trees) => trees.rows(),
            Self::Linear(ridge) => ridge.rows(),
        }
    }

    /// Features of a row.
    pub(crate) fn features(&self) -> usize {
        match self {
            Self::Trees(trees) => trees.features(),
            Self::Linear(ridge) => ridge.features(),
        }
    }
}

/// Names of the members that a preset has.
pub(crate) fn names(preset: Preset) -> &'static [&'static str] {
    match preset {
        Preset::Fast => &[ridge::NAME],
        Preset::Balanced => &NAMES[..1],
        Preset::Best => &NAMES,
    }
}

/// The same model at two times.
#[derive(Debug)]
struct Pair {
    before_windows: Option<Common>,
    whole: Common,
}

/// Nothing where the preset has no such member, or too little was there to learn from.
#[derive(Debug, Default)]
pub(crate) struct GlobalPanel {
    pair: Option<Pair>,
    /// The numbers of the series that were learned from, ascending.
    indices: Vec<usize>,
}

/// Whether the preset has global members for a panel.
pub(crate) fn joins(plan: &Plan, series: usize, columns: usize) -> bool {
    plan.global_member
        && match plan.preset {
            Preset::Fast => plan.recipe.is_some(),
            Preset::Balanced => series >= LEAST_SERIES || columns > 0 || plan.recipe.is_some(),
            Preset::Best => true,
        }
}

/// How many steps of each of `series` histories with `columns` covariates the global members look at.
pub(crate) fn longest_history(plan: &Plan, series: usize, columns: usize) -> usize {
    let least = plan.max_history();
    let longest = match plan.preset {
        Preset::Best => LONGEST,
        // Effects of covariates are learned from as much.
        _ if columns > 0 => LONGEST_EXPLAINED,
        _ => least,
    };
    (MOST_VALUES / series.max(1) / (columns + 1)).clamp(least, longest.max(least))
}

pub(crate) fn effort(preset: Preset) -> Effort {
    match preset {
        Preset::Best => Effort {
            rows: 250_000,
            rounds: 300,
            learning_rate: 0.05,
            leaves: 31,
            is_recursive: true,
            aim: Aim::Robust,
        },
        _ => Effort {
            rows: 60_000,
            rounds: 100,
            learning_rate: 0.1,
            leaves: 31,
            is_recursive: false,
            aim: Aim::Robust,
        },
    }
}

impl GlobalPanel {
    /// Learns from the training series in their order. When `stop` interrupts it there is no member: one that was not
    /// judged must not forecast.
    pub(crate) fn learn(
        training_series: &[TrainingSeries],
        plan: &Plan,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let lengths: Vec<usize> = training_series.iter().map(|series| series.history.values.len()).collect();
        let (season, long) = season::of(&lengths, plan);
        let recipe = plan.recipe.as_deref().cloned().unwrap_or(Recipe { time: true, ..Recipe::default() });
        let task = Task { frequency: plan.frequency, horizon: plan.horizon, season, long, recipe };
        let learn = |length: &dyn Fn(&TrainingSeries) -> usize| {
            let histories: Vec<(&History, usize)> =
                training_series.iter().map(|series| (&series.history, length(series))).collect();
            match plan.preset {
                Preset::Fast => {
                    let layout = ridge::Layout::of(&task, &histories);
                    RidgeModel::learn(&histories, layout, stop).map(|ridge| Common::Linear(Box::new(ridge)))
                }
                _ => GlobalModel::learn(&histories, &task, effort(plan.preset), stop)
                    .map(|trees| Common::Trees(Box::new(trees))),
            }
        };
        let before_windows = if plan.windows > 0 { learn(&|series| series.before_windows) } else { None };
        let is_judged = before_windows.is_some();
        let whole = is_judged.then(|| learn(&|series| series.history.values.len())).flatten();
        Self {
            pair: whole.map(|whole| Pair { before_windows, whole }),
            indices: training_series.iter().map(|series| series.index).collect(),
        }
    }

    /// The model that knows nothing of the windows that are held back.
    pub(crate) fn before_windows(&self) -> Option<&Common> {
        self.pair.as_ref()?.before_windows.as_ref()
    }

    /// The model that has learned from everything.
    pub(crate) fn whole(&self) -> Option<&Common> {
        self.pair.as_ref().map(|pair| &pair.whole)
    }

    /// The number of a series among those that were learned from.
    pub(crate) fn code(&self, index: usize) -> Option<usize> {
        self.indices.binary_search(&index).ok()
    }

    /// Series that were learned from.
    pub(crate) fn series(&self) -> usize {
        self.indices.len()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tabcast_calendar::Frequency;

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

    /// Wavy series with a covariate, far off in their last `changed` steps. The covariate is known beforehand.
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
    fn an_interruption_and_other_presets_give_no_member() {
        let plan = plan();
        assert!(GlobalPanel::learn(&training_series(&plan, 0), &plan, &|| true).whole().is_none());
        assert!(!joins(&plan.with_preset(Preset::Fast), 1_000, 3));
        assert!(!joins(&plan.with_preset(Preset::Balanced), LEAST_SERIES - 1, 0));
        assert!(joins(&plan.with_preset(Preset::Balanced), 1, 1));
    }
}
