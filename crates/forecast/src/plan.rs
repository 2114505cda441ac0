use tabcast_calendar::Frequency;

use crate::{Config, Preset};

/// The band that always holds the point forecast, whatever levels are asked for.
const BAND: (f64, f64) = (0.1, 0.9);

/// Everything about a run that is the same for all its series.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) frequency: Frequency,
    pub(crate) preset: Preset,
    pub(crate) horizon: usize,
    /// Primary season length in steps, 1 for none.
    pub(crate) season: usize,
    /// All season lengths in steps, ascending.
    pub(crate) periods: Vec<usize>,
    /// Levels that are computed, ascending: the requested ones and the band's.
    pub(crate) levels: Vec<f64>,
    /// Where the requested levels lie among `levels`.
    pub(crate) requested: Vec<usize>,
    /// Where the band's two levels lie among `levels`.
    pub(crate) band: (usize, usize),
}

impl Plan {
    pub(crate) fn new(config: &Config, frequency: Frequency) -> Self {
        let mut levels = config.levels.clone();
        levels.extend([BAND.0, BAND.1]);
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup();
        let at = |level: &f64| levels.partition_point(|other| other < level);
        Self {
            frequency,
            preset: config.preset,
            horizon: config.horizon,
            season: frequency.season_length(),
            periods: frequency.season_lengths(),
            requested: config.levels.iter().map(at).collect(),
            band: (at(&BAND.0), at(&BAND.1)),
            levels,
        }
    }
}
