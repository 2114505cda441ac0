//! All findings of one series.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    Accuracy, Bias, Comparison, Confidence, Constant, Coverage, Intermittent, LevelShift, Missing, Negatives,
    Outliers, Outlook, Season, ShortHistory, StaleEnd, Trend, TrendChange, Uncertainty,
};

/// What was found in one series; the name of a field is the id of its rule.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SeriesFindings {
    /// Steps of the history; 0 when nothing was observed, and then nothing else is found.
    pub steps: usize,
    /// First and last step that was observed, of those that were looked at.
    pub from: usize,
    /// The last of them.
    pub to: usize,
    /// Mean absolute value of the last season, or of the last twelve steps if that is more.
    pub volume: f64,
    /// A trend of the history.
    pub trend: Option<Trend>,
    /// Another slope of late.
    pub trend_change: Option<TrendChange>,
    /// A repeating season.
    pub season: Option<Season>,
    /// A lasting jump of late.
    pub level_shift: Option<LevelShift>,
    /// Values far from the ordinary.
    pub outliers: Option<Outliers>,
    /// Demand with many zeros.
    pub intermittent: Option<Intermittent>,
    /// Too few steps.
    pub short_history: Option<ShortHistory>,
    /// Steps without an observation, and doubles.
    pub missing: Option<Missing>,
    /// Values that stopped changing.
    pub constant: Option<Constant>,
    /// Values below zero.
    pub negatives: Option<Negatives>,
    /// An end before that of others.
    pub stale_end: Option<StaleEnd>,
    /// A wide or widening band.
    pub uncertainty: Option<Uncertainty>,
    /// Errors against those of repeating the season before.
    pub accuracy: Option<Accuracy>,
    /// Forecasts that were too high or too low.
    pub bias: Option<Bias>,
    /// A band that held too little or too much.
    pub coverage: Option<Coverage>,
    /// The forecast against the season before.
    pub comparison: Option<Comparison>,
    /// The forecast itself.
    pub outlook: Option<Outlook>,
    /// How far the forecast can be trusted.
    pub confidence: Confidence,
}

impl SeriesFindings {
    /// Adds the indices of the grid that the findings name.
    pub(super) fn add_steps(&self, steps: &mut BTreeSet<usize>) {
        steps.extend([self.from, self.to]);
        steps.extend(self.trend.iter().flat_map(|found| [found.from, found.to]));
        steps.extend(self.trend_change.iter().map(|found| found.at));
        steps.extend(self.season.iter().flat_map(|found| [found.peak, found.trough, found.next_peak]));
        steps.extend(self.level_shift.iter().map(|found| found.at));
        if let Some(found) = &self.outliers {
            steps.extend(&found.steps);
            steps.extend([found.largest, found.from, found.to]);
        }
        steps.extend(self.constant.iter().map(|found| found.since));
        steps.extend(self.stale_end.iter().map(|found| found.last));
        if let Some(found) = &self.comparison {
            steps.extend([found.from, found.to, found.previous_from, found.previous_to]);
        }
        steps.extend(
            self.outlook.iter().flat_map(|found| [found.from, found.to, found.highest_at, found.lowest_at]),
        );
    }
}
