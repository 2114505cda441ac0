use serde::{Deserialize, Serialize};

use crate::covariates::effect::Effect;
use crate::history::closed::open_values;

/// The kind of history a series has; it decides which models are worth fitting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    /// Every value is the same; nothing to fit.
    #[default]
    Constant,
    /// At least five values on a straight line, which a noise model would continue less well.
    Line,
    /// Two or three observations: too few to choose a model.
    Tiny,
    /// Non-negative with mostly zeros (average distance between non-zero values above 1.32, Syntetos and Boylan 2005).
    Intermittent,
    /// Fewer than two cycles of every season: a seasonal model cannot be told from noise.
    Unseasonal,
    /// Two or more cycles of a main season of at most twelve steps.
    ShortSeason,
    /// Two or more cycles of a longer main season, perhaps of several seasons.
    LongSeason,
    /// No main season, but two or more cycles of a longer one (weekly data over years).
    LongCycle,
    /// As `LongCycle`, and the cycles resemble each other: shops that depend on holidays, fuel in the summer.
    StrongCycle,
    /// Too few values of a seasonal frequency to tell trend from season.
    Short,
}

const INTERMITTENT_INTERVAL: f64 = 1.32;
const LONGEST_SHORT_SEASON: usize = 12;
/// Number of cycles that show whether zeros follow a season.
const REPEATED: usize = 7;
/// A history with this many values is not short, whatever its season.
const MOST_SHORT: usize = 48;
/// A weekly history with this many values is not short.
const LEAST_WEEKS: usize = 18;
/// A year in months and in weeks.
const YEARLY: [usize; 2] = [12, 52];

impl Class {
    /// Every class, at the index of its own number.
    pub(crate) const ALL: [Self; 10] = [
        Self::Constant,
        Self::Line,
        Self::Tiny,
        Self::Intermittent,
        Self::Unseasonal,
        Self::ShortSeason,
        Self::LongSeason,
        Self::LongCycle,
        Self::StrongCycle,
        Self::Short,
    ];

    /// Whether there is something to fit and to hold back.
    pub(crate) fn has_models(self) -> bool {
        !matches!(self, Self::Constant | Self::Line | Self::Tiny)
    }

    /// The usual widening of intervals before a backtest has measured it. With these ratios the central 80 % and 95 %
    /// intervals of a median of members have the right coverage on the last horizon of training parts of the M4
    /// competition (yearly; quarterly and monthly; hourly with the autoregression alone; weekly; for less than two
    /// years of weeks or months, parts of the weekly and monthly histories; for short ones, panels cut to 4 to 20
    /// values). Intervals are never narrowed.
    pub(crate) fn usual_widening(self, periods: &[usize]) -> (f64, f64) {
        match self {
            Self::Unseasonal if periods.iter().any(|period| YEARLY.contains(period)) => (1.0, 1.25),
            Self::Unseasonal => (1.7, 1.9),
            Self::ShortSeason => (1.12, 1.23),
            Self::LongSeason => (1.2, 1.35),
            Self::LongCycle | Self::StrongCycle => (1.0, 1.15),
            Self::Short => (1.2, 1.6),
            Self::Constant | Self::Line | Self::Tiny | Self::Intermittent => (1.0, 1.0),
        }
    }

    /// `values` is regular, finite and not empty; `season` is the main season length, 1 for none; `periods` are all
    /// season lengths.
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
        // Days on which a shop is closed do not count as days without demand.
        let is_sparse = |count: usize| count as f64 > INTERMITTENT_INTERVAL * demands as f64;
        // Sunshine and idle machines have zeros too, but a season that repeats says more about them.
        let is_seasonal =
            season > LONGEST_SHORT_SEASON && values.len() >= REPEATED * season && is_repeated(values, season);
        if non_negative && !is_seasonal && is_sparse(values.len()) && is_sparse(open_values(values, periods))
        {
            return Self::Intermittent;
        }
        Self::by_cycles(values, season, periods)
    }

    /// Short: fewer than two seasons, or fewer than four of a short season, and few values in any case; for weekly
    /// data, less than about a third of a year.
    fn is_short(count: usize, season: usize, periods: &[usize]) -> bool {
        let longest = match season {
            0 | 1 if periods.is_empty() => 0,
            0 | 1 => LEAST_WEEKS,
            2..=7 => 4 * season,
            _ => 2 * season,
        };
        count < longest.min(MOST_SHORT)
    }

    /// As [`Class::of`], but zeros that regressors explain (no sales without a promotion, closed shops) do not make
    /// demand intermittent. The history without the effect is modelled, and its sign has no meaning.
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
        if Self::is_short(values.len(), season, periods) {
            return Self::Short;
        }
        let two_cycles = |&length: &usize| length > 1 && values.len() >= 2 * length;
        if two_cycles(&season) {
            return if season <= LONGEST_SHORT_SEASON { Self::ShortSeason } else { Self::LongSeason };
        }
        match periods.iter().find(|period| two_cycles(period)) {
            Some(&cycle) if season <= 1 && is_repeated(values, cycle) => Self::StrongCycle,
            Some(_) if season <= 1 => Self::LongCycle,
            _ => Self::Unseasonal,
        }
    }

    /// The season length that models receive, 1 for none; `season` is the main one, `periods` are all.
    pub(crate) fn season_length(self, length: usize, season: usize, periods: &[usize]) -> usize {
        match self {
            Self::StrongCycle => periods.iter().copied().find(|&period| length >= 2 * period).unwrap_or(1),
            _ if self.is_seasonal() => season,
            _ => 1,
        }
    }

    /// Whether models receive the seasons.
    pub(crate) fn is_seasonal(self) -> bool {
        matches!(
            self,
            Self::ShortSeason | Self::LongSeason | Self::LongCycle | Self::StrongCycle | Self::Short
        )
    }
}

/// Whether all changes are equal up to the rounding of decimal fractions. Four values lie on a line by chance too
/// often.
fn is_line(values: &[f64]) -> bool {
    const LEAST: usize = 5;
    let slope = mean_change(values);
    values.len() >= LEAST
        && values
            .iter()
            .enumerate()
            .all(|(step, value)| (values[0] + slope * step as f64 - value).abs() <= 1e-9 * slope.abs())
}

/// Whether cycles repeat: after detrending, values one cycle apart are alike, and more alike than values half a cycle
/// apart. The second condition excludes wandering series.
fn is_repeated(values: &[f64], cycle: usize) -> bool {
    const ALIKE: f64 = 0.5;
    const MORE_ALIKE: f64 = 0.3;
    let largest = values.iter().fold(f64::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
    let middle = (values.len() - 1) as f64 / 2.0;
    let moment = |power: i32| -> f64 {
        values
            .iter()
            .enumerate()
            .map(|(step, value)| value / largest * (step as f64 - middle).powi(power))
            .sum()
    };
    let (mean, slope) = (
        moment(0) / values.len() as f64,
        moment(1) / (0..values.len()).map(|step| (step as f64 - middle).powi(2)).sum::<f64>(),
    );
    let rest: Vec<f64> = values
        .iter()
        .enumerate()
        .map(|(step, value)| value / largest - mean - slope * (step as f64 - middle))
        .collect();
    let likeness = |lag: usize| -> f64 {
        let (mut products, mut earlier, mut later) = (0.0, 0.0, 0.0);
        for (a, b) in rest.iter().zip(&rest[lag..]) {
            products += a * b;
            earlier += a * a;
            later += b * b;
        }
        if earlier > 0.0 && later > 0.0 { products / (earlier * later).sqrt() } else { 0.0 }
    };
    let once = likeness(cycle);
    once >= ALIKE && once >= likeness(cycle / 2) + MORE_ALIKE
}

/// The mean change from one value to the next, for at least two values.
pub(crate) fn mean_change(values: &[f64]) -> f64 {
    let gaps = (values.len() - 1) as f64;
    // Divides first: the difference of two finite numbers may be infinite.
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
        let closed: Vec<f64> = (0..56).map(|t| if t % 7 < 3 { 0.0 } else { ramp[t % 48] }).collect();
        assert_eq!(Class::of(&closed, 7, &[7]), Class::ShortSeason);
        assert_eq!(Class::of(&[-1.0, 0.0, 0.0, 0.0, 1.0], 1, &[]), Class::Unseasonal);
        let sun = |t: usize| ((t % 24) as f64 - 15.0).max(0.0) * (1.0 + ((t / 24) % 3) as f64);
        let sunshine: Vec<f64> = (0..240).map(sun).collect();
        assert_eq!(Class::of(&sunshine, 24, &[24, 168]), Class::LongSeason);
        let orders: Vec<f64> = (0..240).map(|t| if t * t % 17 == 4 { 3.0 } else { 0.0 }).collect();
        assert_eq!(Class::of(&orders, 24, &[24, 168]), Class::Intermittent);
        assert_eq!(Class::of(&ramp[..23], 12, &[12]), Class::Short);
        assert_eq!(Class::of(&ramp[..27], 7, &[7]), Class::Short);
        assert_eq!(Class::of(&ramp[..28], 7, &[7]), Class::ShortSeason);
        assert_eq!(Class::of(&ramp[..6], 1, &[]), Class::Unseasonal);
        assert_eq!(Class::of(&ramp[..24], 12, &[12]), Class::ShortSeason);
        assert_eq!(Class::of(&ramp, 24, &[24, 168]), Class::LongSeason);
        assert_eq!(Class::of(&ramp, 1, &[24]), Class::LongCycle);
        assert_eq!(Class::of(&ramp, 1, &[52]), Class::Unseasonal);
    }

    #[test]
    fn a_cycle_is_strong_when_it_happens_again() {
        let noise = |t: usize| ((t * t * 37 + t * 11) % 101) as f64 / 101.0 - 0.5;
        let build = |value: &dyn Fn(usize) -> f64| (0..130).map(value).collect::<Vec<f64>>();
        let wave =
            build(&|t| 5.0 + 0.1 * t as f64 + (t as f64 * std::f64::consts::TAU / 52.0).sin() + noise(t));
        let holidays = build(&|t| if t % 52 > 48 { 90.0 } else { 40.0 + 10.0 * noise(t) });
        for values in [wave, holidays] {
            assert_eq!(Class::of(&values, 1, &[52]), Class::StrongCycle);
        }
        let mut level = 0.0;
        let mut walk = |t: usize| {
            level += noise(t);
            level
        };
        let wandering: Vec<f64> = (0..130).map(&mut walk).collect();
        let bend = build(&|t| (t as f64 - 65.0).powi(2));
        for values in [wandering, build(&noise), bend] {
            assert_eq!(Class::of(&values, 1, &[52]), Class::LongCycle);
        }
    }
}
