use serde::Serialize;

use crate::class::Class;

/// How much work a series is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Two cheap models a series.
    Fast,
    /// The default: three or four models, among them exponential smoothing chosen by likelihood.
    Balanced,
    /// Up to six models and the longest history.
    Best,
}

/// Windows over the whole dataset that weights and intervals are learned from.
const ENOUGH_WINDOWS: usize = 1_000;

impl Preset {
    /// The preset with this name, if there is one.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "fast" => Some(Self::Fast),
            "balanced" => Some(Self::Balanced),
            "best" => Some(Self::Best),
            _ => None,
        }
    }

    /// Older steps than this are not looked at: they cost time and say little about the next season.
    pub(crate) fn max_history(self) -> usize {
        match self {
            Self::Fast => 1_000,
            Self::Balanced => 2_500,
            Self::Best => 5_000,
        }
    }

    /// Backtest windows a series: as many as make about a thousand over the dataset, since few windows prove little and
    /// more than that cost time without saying more; within bounds that depend on the preset.
    pub(crate) fn windows(self, series: usize) -> usize {
        let wanted = ENOUGH_WINDOWS.div_ceil(series.max(1));
        match self {
            Self::Fast => 0,
            Self::Balanced => wanted.clamp(1, 3),
            Self::Best => wanted.clamp(3, 6),
        }
    }

    /// Registry names of the models that are combined for a series of this class; none where no model is needed.
    ///
    /// Chosen among all medians of up to five models by their error on the last horizon of a sample of the M4 training
    /// series (the competition's test part was not looked at), one set a class.
    pub(crate) fn members(self, class: Class) -> &'static [&'static str] {
        match (class, self) {
            (Class::Constant | Class::Tiny, _) => &[],
            (Class::Intermittent, Self::Fast) => &["ses"],
            (Class::Intermittent, _) => &["ses", "dotm", "ets"],
            (Class::Unseasonal | Class::ShortSeason, Self::Fast) => &["dotm", "damped_trend"],
            (Class::Unseasonal, Self::Balanced) => &["dotm", "holt", "autoregression"],
            (Class::Unseasonal, Self::Best) => &["dotm", "drift", "ets", "holt", "autoregression"],
            (Class::ShortSeason, Self::Balanced) => &["dotm", "ets", "autoregression"],
            (Class::ShortSeason, Self::Best) => {
                &["dotm", "ets", "damped_trend", "seasonal_naive", "autoregression"]
            }
            (Class::LongSeason, _) => &["seasonal_naive", "holt", "autoregression"],
            (Class::LongCycle, Self::Fast) => &["holt", "autoregression"],
            (Class::LongCycle, _) => &["holt", "ets", "autoregression"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_is_a_model_of_the_registry() {
        let classes = [
            Class::Constant,
            Class::Tiny,
            Class::Intermittent,
            Class::Unseasonal,
            Class::ShortSeason,
            Class::LongSeason,
            Class::LongCycle,
        ];
        for preset in [Preset::Fast, Preset::Balanced, Preset::Best] {
            for class in classes {
                for name in preset.members(class) {
                    assert!(tabcast_models::find(name).is_some(), "{name} of {preset:?} {class:?}");
                }
            }
        }
    }
}
