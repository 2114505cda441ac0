//! The members of a fine-tuned model: trees, linear models, and a naive rule that needs no training.

use rayon::prelude::*;
use tabcast_models::Forecast;

use crate::covariates::engineered::Recipe;
use crate::history::History;
use crate::history::class::Class;
use crate::intervals::guard::Guard;
use crate::learners::global::{Effort, GlobalModel, Task};
use crate::learners::ridge::{Layout, RidgeModel};
use crate::run::members::last_resort;
use crate::run::plan::Plan;
use crate::run::timers::Timers;

/// Names of the members, in the order of [`Heads::forecasts`].
pub(crate) const NAMES: [&str; 4] = ["tuned_direct", "tuned_recursive", "tuned_linear", "seasonal_naive"];

/// Index of the member that forecasts one step after the other.
pub(super) const RECURSIVE: usize = 1;

/// Maximum number of known values in a piece, from which the linear model of short histories learns.
const SHORT: usize = 16;
/// Maximum number of pieces per series.
const PIECES: usize = 8;

/// The members' forecasts; none where a member does not apply or its forecast is implausible.
pub(crate) type Said = [Option<Forecast>; NAMES.len()];

/// The global models.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads {
    pub(super) trees: Option<GlobalModel>,
    pub(super) linear: Option<RidgeModel>,
    /// For histories that are too short for the other heads: it has no season, and its base is the last value.
    pub(super) short: Option<RidgeModel>,
}

impl Heads {
    /// Trains on the first values of histories; `stop` leaves out what is unfinished.
    pub(super) fn learn(
        training_series: &[(&History, usize)],
        task: &Task,
        effort: Effort,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let layout = Layout::of(task, training_series);
        let linear = RidgeModel::learn(training_series, layout.clone(), stop);
        let pieces: Vec<History> = training_series
            .par_iter()
            .flat_map_iter(|(history, length)| pieces(history, *length, task.horizon))
            .collect();
        let whole: Vec<(&History, usize)> = pieces.iter().map(|piece| (piece, piece.values.len())).collect();
        // Most lags would be missing in short histories, and what is learned from the rest would not generalise.
        let recipe =
            Recipe { lags: Vec::new(), windows: Vec::new(), growth: Vec::new(), ..task.recipe.clone() };
        let short = RidgeModel::learn(&whole, Layout { recipe, season: 1, ..layout }, stop);
        let trees = GlobalModel::learn(training_series, task, effort, stop);
        Self { trees, linear, short }
    }

    /// Whether there is no trained model, so that only the naive rule is left.
    pub(super) fn learned_nothing(&self) -> bool {
        self.trees.is_none() && self.linear.is_none() && self.short.is_none()
    }

    /// Whether all heads take these covariates and were trained for a horizon of at least this length.
    pub(super) fn fit(&self, columns: usize, horizon: usize) -> bool {
        self.trees.iter().all(|trees| trees.fits(columns, horizon))
            && [&self.linear, &self.short].into_iter().flatten().all(|ridge| ridge.fits(columns, horizon))
    }

    /// The members' forecasts after the first `length` values of a history; `code` is the number of the series among
    /// the training series.
    pub(super) fn forecasts(
        &self,
        history: &History,
        length: usize,
        code: Option<usize>,
        plan: &Plan,
        guard: &Guard,
        timers: &Timers,
    ) -> Said {
        let values = &history.values[..length];
        let [direct, recursive] = self
            .trees
            .as_ref()
            .map(|trees| trees.forecast(history, length, code, plan.horizon))
            .unwrap_or_default();
        let linear = [&self.linear, &self.short];
        let linear =
            linear.into_iter().flatten().find_map(|ridge| ridge.forecast(history, length, plan.horizon));
        let class = Class::of(values, plan.season, &plan.periods);
        let naive = last_resort(values, class, plan, guard, timers);
        [direct, recursive, linear, Some(naive)]
            .map(|forecast| forecast.filter(|forecast| guard.believes(forecast)))
    }
}

/// Pieces of a history that look like short series: a few values and the steps after them.
fn pieces(history: &History, length: usize, horizon: usize) -> Vec<History> {
    let size = SHORT + horizon;
    let count = (length / size).min(PIECES);
    let from = |piece: usize| piece * (length - size) / count.max(2).saturating_sub(1);
    (0..count).map(|piece| history.part(from(piece)..from(piece) + size)).collect()
}
