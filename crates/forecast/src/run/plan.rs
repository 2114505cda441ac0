use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tabcast_calendar::Frequency;
use tabcast_statistics::normal_quantile;

use crate::covariates::engineered::Recipe;
use crate::{Config, Control, Preset};

/// The band that always holds the point forecast, whatever levels are asked for.
pub(crate) const BAND: (f64, f64) = (0.1, 0.9);

/// Everything about a run that is the same for all its series.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) frequency: Frequency,
    pub(crate) preset: Preset,
    pub(crate) horizon: usize,
    /// Primary season length in steps, 1 for none.
    pub(crate) season: usize,
    /// All season lengths in steps, ascending.
    pub(crate) periods: Vec<usize>,
    /// Older steps than this are not looked at.
    pub(crate) history: usize,
    /// Whether models of all series may take part.
    pub(crate) global_member: bool,
    /// Backtest windows a series, at most.
    pub(crate) windows: usize,
    /// Levels that are computed, ascending, each with its normal score: the requested ones and the band's.
    pub(crate) levels: Vec<(f64, f64)>,
    /// Where the requested levels lie among `levels`.
    pub(crate) requested: Vec<usize>,
    /// Where the band's two levels lie among `levels`.
    pub(crate) band: (usize, usize),
    /// The features that the client asked for; none when models of all series choose their own.
    pub(crate) recipe: Option<Arc<Recipe>>,
    /// Set when the run is no longer wanted.
    pub(crate) cancel: Arc<AtomicBool>,
    /// When models must give up, because only the cheap ones keep to the time budget from then on.
    pub(crate) deadline: Option<Instant>,
}

impl Plan {
    /// The same run with another preset, however long it takes.
    pub(crate) fn with_preset(&self, preset: Preset) -> Self {
        Self {
            preset,
            history: preset.max_history(&self.periods),
            windows: 0,
            deadline: None,
            ..self.clone()
        }
    }

    /// How far models of one series look back.
    pub(crate) fn max_history(&self) -> usize {
        self.preset.max_history(&self.periods)
    }

    /// Whether the run is no longer wanted: what is being computed will be thrown away.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// For a dataset of `series` series.
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

/// `fast` learns nothing, unless a model of all series is to be weighed.
fn windows(config: &Config, series: usize) -> usize {
    let learns = config.preset == Preset::Fast && config.recipe.is_some();
    config.preset.windows(series).max(usize::from(learns))
}
