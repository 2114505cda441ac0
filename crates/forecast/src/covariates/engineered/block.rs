use serde::Deserialize;

use super::RollingStat;

/// The `feature_engineering` block of a request: which features are derived from each series.
///
/// A list counts only if its switch is on; the numbers are steps, 1 to 10,000.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "FeatureEngineeringSpec")]
#[expect(clippy::struct_excessive_bools, reason = "the switches of the block")]
pub struct FeatureEngineering {
    /// Year, quarter, month, week, day and hour as numbers.
    pub time_features: bool,
    /// The same, except the year, as sines and cosines.
    pub cyclical_encoding: bool,
    /// Values at earlier steps, relative to the step that is forecast.
    pub lag_features: bool,
    /// How many steps earlier.
    pub lag_periods: Vec<usize>,
    /// Rolling statistics of the last values.
    pub rolling_features: bool,
    /// Window lengths.
    pub rolling_windows: Vec<usize>,
    /// Which statistics.
    pub rolling_stats: Vec<RollingStat>,
    /// Relative changes of the last value.
    pub growth_features: bool,
    /// Steps over which the change is measured.
    pub growth_periods: Vec<usize>,
    /// Weekend; first and last day of month, quarter and year.
    pub event_flags: bool,
}

impl Default for FeatureEngineering {
    /// Everything on, with the lists of the specification.
    fn default() -> Self {
        Self {
            time_features: true,
            cyclical_encoding: true,
            lag_features: true,
            lag_periods: vec![1, 7, 14, 30],
            rolling_features: true,
            rolling_windows: vec![3, 7, 14, 30],
            rolling_stats: RollingStat::ALL.to_vec(),
            growth_features: true,
            growth_periods: vec![1, 7],
            event_flags: true,
        }
    }
}
