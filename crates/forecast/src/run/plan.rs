use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tabcast_calendar::{Frequency, Unit};
use tabcast_statistics::normal_quantile;

use crate::covariates::engineered::Recipe;
use crate::{Config, Control, Preset};

/// The interval that always contains the point forecast, whatever levels are requested.
pub(crate) const BAND: (f64, f64) = (0.1, 0.9);

/// A main season of at least this many steps means a high frequency: hours and less.
const HIGH_FREQUENCY: usize = 13;

/// Everything about a run that is the same for all series.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) frequency: Frequency,
    pub(crate) preset: Preset,
    pub(crate) horizon: usize,
    /// Primary season length in steps, 1 for none.
    pub(crate) season: usize,
    /// All season lengths in steps, ascending.
    pub(crate) periods: Vec<usize>,
    /// Maximum number of steps of history; older ones are ignored.
    pub(crate) history: usize,
    /// Whether global models may take part.
    pub(crate) global_member: bool,
    /// Maximum number of backtest windows per series.
    pub(crate) windows: usize,
    /// Levels to compute, ascending, each with its normal quantile z: the requested ones and those of [`BAND`].
    pub(crate) levels: Vec<(f64, f64)>,
    /// Indices of the requested levels in `levels`.
    pub(crate) requested: Vec<usize>,
    /// Indices of the two levels of [`BAND`] in `levels`.
    pub(crate) band: (usize, usize),
    /// The requested features; none if global models choose their own.
    pub(crate) recipe: Option<Arc<Recipe>>,
    /// Set when the run has been cancelled.
    #[serde(skip)]
    pub(crate) cancel: Arc<AtomicBool>,
    /// When expensive models must give up, because from then on only the cheap ones keep to the time budget.
    #[serde(skip)]
    pub(crate) deadline: Option<Instant>,
}

impl Plan {
    /// The same run with another preset and no deadline.
    pub(crate) fn with_preset(&self, preset: Preset) -> Self {
        Self {
            preset,
            history: preset.max_history(&self.periods),
            windows: 0,
            deadline: None,
            ..self.clone()
        }
    }

    /// Whether a step is an hour or less.
    pub(crate) fn is_high_frequency(&self) -> bool {
        self.season >= HIGH_FREQUENCY
    }

    /// Whether steps are counted in weeks or shorter units.
    pub(crate) fn is_weekly_or_shorter(&self) -> bool {
        !matches!(self.frequency.unit(), Unit::Month(_) | Unit::Quarter(..) | Unit::Year(..))
    }

    /// Maximum number of steps that local models use.
    pub(crate) fn max_history(&self) -> usize {
        self.preset.max_history(&self.periods)
    }

    /// Whether the run has been cancelled, so that the current result will be discarded.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The plan for a dataset of `series` series.
    pub(crate) fn new(config: &Config, frequency: Frequency, series: usize, control: &Control) -> Self {
        let mut levels = config.levels.clone();
        levels.extend([BAND.0, BAND.1]);
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup();
        let at = |level: &f64| levels.partition_point(|other| other < level);
        Self {
            cancel: control.shared_cancel_flag(),
            deadline: None,
            recipe: config.recipe.clone().map(Arc::new),
            frequency,
            preset: config.preset,
            horizon: config.horizon,
            season: frequency.season_length(),
            periods: frequency.season_lengths(),
            requested: config.levels.iter().map(at).collect(),
            band: (at(&BAND.0), at(&BAND.1)),
            history: config.preset.max_history(&frequency.season_lengths()),
            global_member: config.global_member,
            windows: windows(config, series),
            levels: levels.into_iter().map(|level| (level, normal_quantile(level))).collect(),
        }
    }
}

/// `fast` has no backtest, unless a global model needs its weight.
fn windows(config: &Config, series: usize) -> usize {
    let learns = config.preset == Preset::Fast && config.recipe.is_some();
    config.preset.windows(series).max(usize::from(learns))
}
