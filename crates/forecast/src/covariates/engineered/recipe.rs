//! Which features a row has.

use serde::{Deserialize, Serialize};
use tabcast_calendar::Frequency;

use super::FeatureEngineering;
use super::calendar::{CalendarFeature, calendar_features};
use crate::Failure;

/// A statistic of the last values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
pub enum RollingStat {
    /// Their mean.
    Mean,
    /// Sample standard deviation; a single value has none.
    Std,
    /// Their minimum.
    Min,
    /// Their maximum.
    Max,
}

impl RollingStat {
    pub(crate) const ALL: [Self; 4] = [Self::Mean, Self::Std, Self::Min, Self::Max];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Std => "std",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// Which features a row has, in this order: calendar (time, cyclical, flags), then history (lags, windows by
/// statistic, growth).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recipe {
    pub(crate) time: bool,
    pub(crate) cyclical: bool,
    pub(crate) flags: bool,
    /// In steps, at least 1, like windows and growth periods.
    pub(crate) lags: Vec<usize>,
    pub(crate) windows: Vec<usize>,
    /// Statistics of each window.
    pub(crate) stats: Vec<RollingStat>,
    pub(crate) growth: Vec<usize>,
}

/// The longest lag, window or growth period, in steps.
pub(super) const LONGEST: usize = 10_000;
/// Maximum number of entries in a list.
const MOST: usize = 64;

impl Recipe {
    /// The recipe of a block; none if all its switches are off. Lists are sorted, each entry once.
    ///
    /// # Errors
    ///
    /// [`Failure::Options`] with the name of the field: an empty list whose switch is on, more than 64 entries, or a
    /// number of steps outside 1 to 10,000.
    pub(crate) fn of(block: &FeatureEngineering) -> Result<Option<Self>, Failure> {
        let recipe = Self {
            time: block.time_features,
            cyclical: block.cyclical_encoding,
            flags: block.event_flags,
            lags: steps("lag_periods", block.lag_features, &block.lag_periods)?,
            windows: steps("rolling_windows", block.rolling_features, &block.rolling_windows)?,
            stats: stats(block)?,
            growth: steps("growth_periods", block.growth_features, &block.growth_periods)?,
        };
        Ok((recipe != Self::default()).then_some(recipe))
    }

    /// Names of the features in the order of a row: [`Recipe::calendar_width`] calendar features, then
    /// [`Recipe::history_width`] history features.
    pub(crate) fn names(&self, frequency: Frequency) -> Vec<String> {
        let calendar = calendar_features(self, frequency).map(CalendarFeature::name).map(str::to_owned);
        let lags = self.lags.iter().map(|lag| format!("lag_{lag}"));
        let rolling = self.windows.iter().flat_map(|window| {
            self.stats.iter().map(move |stat| format!("rolling_{}_{window}", stat.name()))
        });
        let growth = self.growth.iter().map(|period| format!("growth_{period}"));
        calendar.chain(lags).chain(rolling).chain(growth).collect()
    }

    /// Number of features that depend on the stamp that is forecast.
    pub(crate) fn calendar_width(&self, frequency: Frequency) -> usize {
        calendar_features(self, frequency).count()
    }

    /// Number of features that depend on the values before an origin.
    pub(crate) fn history_width(&self) -> usize {
        self.lags.len() + self.windows.len() * self.stats.len() + self.growth.len()
    }

    /// How far back the features look, in steps.
    pub(crate) fn reach(&self) -> usize {
        let growth = self.growth.iter().map(|period| period + 1);
        self.lags.iter().chain(&self.windows).copied().chain(growth).max().unwrap_or(0)
    }
}

fn steps(field: &str, on: bool, list: &[usize]) -> Result<Vec<usize>, Failure> {
    if !on {
        return Ok(Vec::new());
    }
    check_length(field, list.len())?;
    if let Some(wrong) = list.iter().find(|&&steps| !(1..=LONGEST).contains(&steps)) {
        return Err(Failure::Options(format!("{field} has {wrong}, which is not 1 to {LONGEST} steps")));
    }
    let mut list = list.to_vec();
    list.sort_unstable();
    list.dedup();
    Ok(list)
}

fn stats(block: &FeatureEngineering) -> Result<Vec<RollingStat>, Failure> {
    if !block.rolling_features {
        return Ok(Vec::new());
    }
    check_length("rolling_stats", block.rolling_stats.len())?;
    Ok(RollingStat::ALL.into_iter().filter(|stat| block.rolling_stats.contains(stat)).collect())
}

fn check_length(field: &str, length: usize) -> Result<(), Failure> {
    match length {
        0 => Err(Failure::Options(format!("{field} is empty, and its features are asked for"))),
        1..=MOST => Ok(()),
        _ => Err(Failure::Options(format!("{field} has {length} entries, more than {MOST}"))),
    }
}
