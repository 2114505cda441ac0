use serde::{Deserialize, Serialize};

use crate::history::class::Class;
use crate::learners::pooled;

/// How much work to spend on each series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// At most two cheap models per series, and no backtest.
    Fast,
    /// The default: one to five models, weighted by a backtest.
    Balanced,
    /// Up to thirteen models, one of them a network for all series, weighted over several backtest windows, and the
    /// longest history.
    Best,
}

/// Number of backtest windows in the whole dataset that is enough to learn weights and intervals.
const ENOUGH_WINDOWS: usize = 1_000;

impl Preset {
    /// The name in requests and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Balanced => "balanced",
            Self::Best => "best",
        }
    }

    /// Maximum number of steps that local models use; older ones cost time and say little about the next season. `fast`
    /// sees four cycles of the longest of the season lengths `periods` that fits three times into the limit of
    /// `balanced`: on half-hourly data, a model that does not see the days of the week is worth little.
    pub(crate) fn max_history(self, periods: &[usize]) -> usize {
        const BALANCED: usize = 2_500;
        match self {
            Self::Fast => {
                let longest = periods.iter().copied().filter(|period| 3 * period <= BALANCED).max();
                longest.map_or(0, |period| 4 * period).clamp(1_000, BALANCED)
            }
            Self::Balanced => BALANCED,
            Self::Best => 5_000,
        }
    }

    /// Number of backtest windows per series, so that the dataset has about a thousand: fewer prove little, and more
    /// cost time without telling more. The preset sets bounds.
    pub(crate) fn windows(self, series: usize) -> usize {
        let wanted = ENOUGH_WINDOWS.div_ceil(series.max(1));
        match self {
            Self::Fast => 0,
            Self::Balanced => wanted.clamp(1, 3),
            Self::Best => wanted.clamp(3, 6),
        }
    }

    /// Registry names of the models combined for a series of this class, and [`pooled::NAME`]; empty if no model is
    /// needed.
    ///
    /// The sets were chosen by the error of medians on the last two horizons of training parts (M4 yearly, quarterly,
    /// monthly, weekly, hourly and daily, hospital, NN5): for each class the best set that is nowhere clearly beaten.
    /// `best` adds members that greedy selection may find useful on other data.
    pub(crate) fn members(self, class: Class) -> &'static [&'static str] {
        match (class, self) {
            (Class::Constant | Class::Line | Class::Tiny, _) => &[],
            (Class::Short, _) => &["shrunken_season"],
            (Class::Intermittent, Self::Fast) => &["croston_sba", "tsb"],
            (Class::Intermittent, _) => &["croston_sba", "tsb", "adida"],
            (Class::Unseasonal | Class::ShortSeason, Self::Fast) => &["theta_boxcox", "ces"],
            (Class::Unseasonal, Self::Balanced) => &["theta_boxcox", "ces", "drift", "autoregression"],
            (Class::Unseasonal, Self::Best) => {
                &["theta_boxcox", "ces", "drift", "autoregression", "damped_growth", pooled::NAME]
            }
            (Class::ShortSeason, Self::Balanced) => &["theta_boxcox", "ces", "ets", "arima", "ses"],
            (Class::ShortSeason, Self::Best) => &[
                "theta_boxcox",
                "ces",
                "ets",
                "arima",
                "auto_ets",
                "ses",
                "fourier_arima",
                "level_shape",
                "autoregression",
                "auto_theta",
                "drift",
                "seasonal_naive",
                pooled::NAME,
            ],
            (Class::LongSeason, Self::Fast) => &["autoregression", "level_shape"],
            (Class::LongSeason, Self::Balanced) => &["autoregression", "level_shape", "mstl"],
            (Class::LongSeason, Self::Best) => {
                &["autoregression", "level_shape", "mstl", "fourier_arima", "seasonal_naive", pooled::NAME]
            }
            (Class::StrongCycle, Self::Fast) => &["level_shape", "seasonal_naive"],
            (Class::StrongCycle, _) => &["level_shape", "fourier_arima", "seasonal_naive"],
            (Class::LongCycle, Self::Fast) => &["autoregression", "ces"],
            (Class::LongCycle, Self::Balanced) => &["autoregression", "ces", "holt"],
            (Class::LongCycle, Self::Best) => {
                &["autoregression", "ces", "holt", "ets", "fourier_arima", pooled::NAME]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_sees_weeks_of_half_hours_and_no_more_than_before_of_anything_longer() {
        for (periods, seen) in [
            (&[][..], 1_000),
            (&[52], 1_000),
            (&[24, 168], 1_000),
            (&[48, 336], 1_344),
            (&[96, 672], 2_500),
            (&[1_440, 10_080], 1_000),
        ] {
            assert_eq!(Preset::Fast.max_history(periods), seen, "{periods:?}");
            assert_eq!(Preset::Balanced.max_history(periods), 2_500);
        }
    }

    #[test]
    fn every_member_is_a_model_of_the_registry_or_the_pooled_network() {
        let classes = [
            Class::Constant,
            Class::Line,
            Class::Tiny,
            Class::Intermittent,
            Class::Unseasonal,
            Class::ShortSeason,
            Class::LongSeason,
            Class::LongCycle,
            Class::StrongCycle,
            Class::Short,
        ];
        for preset in [Preset::Fast, Preset::Balanced, Preset::Best] {
            for class in classes {
                for name in preset.members(class) {
                    let known = *name == pooled::NAME || tabcast_models::find(name).is_some();
                    assert!(known, "{name} of {preset:?} {class:?}");
                }
            }
        }
    }
}
