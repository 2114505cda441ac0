use serde::Serialize;

use crate::effect::Effect;

/// What kind of history a series has; decides which models are worth fitting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    /// Every value is the same; nothing to fit.
    #[default]
    Constant,
    /// At least five values on a straight line, which no model of noise continues as well.
    Line,
    /// Two or three observations: too few for any model with a parameter.
    Tiny,
    /// Non-negative and mostly zeros in between (average distance of non-zero values above 1.32, Syntetos and Boylan 2005).
    Intermittent,
    /// Fewer than two cycles of every season: no seasonal model can be told from noise.
    Unseasonal,
    /// Two or more cycles of a main season of at most twelve steps.
    ShortSeason,
    /// Two or more cycles of a longer main season, perhaps of several.
    LongSeason,
    /// No main season, but two or more cycles of a longer one (weekly data over years).
    LongCycle,
}

const INTERMITTENT_INTERVAL: f64 = 1.32;
const LONGEST_SHORT_SEASON: usize = 12;
/// A year in months and in weeks.
const YEARLY: [usize; 2] = [12, 52];

impl Class {
    /// Every class, at the place of its own number.
    pub(crate) const ALL: [Self; 8] = [
        Self::Constant,
        Self::Line,
        Self::Tiny,
        Self::Intermittent,
        Self::Unseasonal,
        Self::ShortSeason,
        Self::LongSeason,
        Self::LongCycle,
    ];

    /// Whether there is something to fit and to hold back.
    pub(crate) fn has_models(self) -> bool {
        !matches!(self, Self::Constant | Self::Line | Self::Tiny)
    }

    /// How much wider intervals usually must be than the models say, before a backtest tells: the ratios that make the
    /// central 80 % and 95 % bands of a median of members hold on the last horizon of training parts of the M4 competition
    /// (yearly; quarterly and monthly; hourly with the autoregression alone; weekly; for less than two years of weeks or
    /// months, parts of the weekly and monthly histories). Nothing is ever taken off.
    pub(crate) fn usual_widening(self, periods: &[usize]) -> (f64, f64) {
        match self {
            Self::Unseasonal if periods.iter().any(|period| YEARLY.contains(period)) => (1.0, 1.25),
            Self::Unseasonal => (1.7, 1.9),
            Self::ShortSeason => (1.12, 1.23),
            Self::LongSeason => (1.2, 1.35),
            Self::LongCycle => (1.0, 1.15),
            Self::Constant | Self::Line | Self::Tiny | Self::Intermittent => (1.0, 1.0),
        }
    }

    /// `values` is regular, finite and not empty; `season` is the main season length, 1 for none; `periods` are all of them.
    pub(crate) fn of(values: &[f64], season: usize, periods: &[usize]) -> Self {
        if values.iter().all(|&value| value == values[0]) {
            return Self::Constant;
        }
        if values.len() < 4 {
            return Self::Tiny;
        }
        if is_line(values) {
            return Self::Line;
        }
        let demands = values.iter().filter(|&&value| value != 0.0).count();
        let non_negative = values.iter().all(|&value| value >= 0.0);
        if non_negative && values.len() as f64 > INTERMITTENT_INTERVAL * demands as f64 {
            return Self::Intermittent;
        }
        Self::by_cycles(values, season, periods)
    }

    /// As [`Class::of`], but zeros that regressors explain (nothing is sold without a promotion, shops are closed) are no
    /// intermittent demand: what is left without the effect is modelled, and its sign means nothing.
    pub(crate) fn of_explained(
        values: &[f64],
        regressors: &[Vec<f64>],
        season: usize,
        periods: &[usize],
    ) -> Self {
        match Self::of(values, season, periods) {
            Self::Intermittent if Effect::of(values, regressors, season).is_some() => {
                Self::by_cycles(values, season, periods)
            }
            class => class,
        }
    }

    fn by_cycles(values: &[f64], season: usize, periods: &[usize]) -> Self {
        let two_cycles = |&length: &usize| length > 1 && values.len() >= 2 * length;
        if two_cycles(&season) {
            return if season <= LONGEST_SHORT_SEASON { Self::ShortSeason } else { Self::LongSeason };
        }
        if season <= 1 && periods.iter().any(two_cycles) { Self::LongCycle } else { Self::Unseasonal }
    }

    /// Whether models are told of the seasons.
    pub(crate) fn is_seasonal(self) -> bool {
        matches!(self, Self::ShortSeason | Self::LongSeason | Self::LongCycle)
    }
}

/// Whether all changes are equal, up to the rounding of decimal fractions. Four values are on a line by chance too often.
fn is_line(values: &[f64]) -> bool {
    const LEAST: usize = 5;
    let slope = mean_change(values);
    values.len() >= LEAST
        && values
            .iter()
            .enumerate()
            .all(|(step, value)| (values[0] + slope * step as f64 - value).abs() <= 1e-9 * slope.abs())
}

/// The mean change from one value to the next; at least two values.
pub(crate) fn mean_change(values: &[f64]) -> f64 {
    let gaps = (values.len() - 1) as f64;
    // Divided first: the difference of two finite numbers may be infinite.
    values[values.len() - 1] / gaps - values[0] / gaps
}

#[cfg(test)]
mod tests {
    use super::Class;

    #[test]
    fn classes_follow_length_zeros_and_season() {
        let line: Vec<f64> = (1..=48).map(|step| 0.1 * f64::from(step)).collect();
        let ramp: Vec<f64> = (1..=48).map(|step| f64::from(step) + f64::from(step * step % 5)).collect();
        assert_eq!(Class::of(&[3.0; 9], 4, &[4]), Class::Constant);
        assert_eq!(Class::of(&[0.0; 9], 4, &[4]), Class::Constant);
        assert_eq!(Class::of(&line, 12, &[12]), Class::Line);
        assert_eq!(Class::of(&line[..4], 1, &[]), Class::Unseasonal);
        assert_eq!(Class::of(&[1.0, 2.0], 12, &[12]), Class::Tiny);
        assert_eq!(Class::of(&[0.0, 0.0, 5.0, 0.0, 1.0, 0.0], 1, &[]), Class::Intermittent);
        assert_eq!(Class::of(&[-1.0, 0.0, 0.0, 0.0, 1.0], 1, &[]), Class::Unseasonal);
        assert_eq!(Class::of(&ramp[..23], 12, &[12]), Class::Unseasonal);
        assert_eq!(Class::of(&ramp[..24], 12, &[12]), Class::ShortSeason);
        assert_eq!(Class::of(&ramp, 24, &[24, 168]), Class::LongSeason);
        assert_eq!(Class::of(&ramp, 1, &[24]), Class::LongCycle);
        assert_eq!(Class::of(&ramp, 1, &[52]), Class::Unseasonal);
    }
}
