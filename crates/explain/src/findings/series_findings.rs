//! All findings of one series.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    Accuracy, Bias, Comparison, Confidence, Constant, Coverage, Intermittent, LevelShift, Missing, Negatives,
    Outliers, Outlook, Season, ShortHistory, StaleEnd, Trend, TrendChange, Uncertainty,
};

/// The findings in one series; the name of a field is the id of its rule.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SeriesFindings {
    /// Number of steps of the history; 0 if nothing was observed, and then there are no findings.
    pub steps: usize,
    /// First observed step among the examined ones.
    pub from: usize,
    /// Last observed step.
    pub to: usize,
    /// Mean absolute value over the last season, or over the last twelve steps if that is more.
    pub volume: f64,
    /// A trend of the history.
    pub trend: Option<Trend>,
    /// A recent change of slope.
    pub trend_change: Option<TrendChange>,
    /// A repeating season.
    pub season: Option<Season>,
    /// A recent lasting jump.
    pub level_shift: Option<LevelShift>,
    /// Outliers.
    pub outliers: Option<Outliers>,
    /// Demand with many zeros.
    pub intermittent: Option<Intermittent>,
    /// A history that is too short.
    pub short_history: Option<ShortHistory>,
    /// Steps without an observation, and duplicate rows.
    pub missing: Option<Missing>,
    /// Values that stopped changing.
    pub constant: Option<Constant>,
    /// Values below zero.
    pub negatives: Option<Negatives>,
    /// An end before that of other series.
    pub stale_end: Option<StaleEnd>,
    /// A wide or widening interval.
    pub uncertainty: Option<Uncertainty>,
    /// Errors compared with those of the seasonal naive forecast.
    pub accuracy: Option<Accuracy>,
    /// Forecasts that were too high or too low.
    pub bias: Option<Bias>,
    /// An interval that contained too few or too many values.
    pub coverage: Option<Coverage>,
    /// The forecast compared with the season before.
    pub comparison: Option<Comparison>,
    /// The forecast itself.
    pub outlook: Option<Outlook>,
    /// How trustworthy the forecast is.
    pub confidence: Confidence,
}

impl SeriesFindings {
    /// Adds the grid indices that the findings name.
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
