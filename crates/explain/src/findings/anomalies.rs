//! Single values far from trend, season and neighbours.

use super::decomposition::{Decomposition, LONGEST};
use super::{Counts, Forecast, Series};

/// An outlier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anomaly {
    /// Its index in the history.
    pub at: usize,
    /// The observed value.
    pub value: f64,
    /// The value that trend, season and neighbours suggest.
    pub expected: f64,
    /// Lower bound of ordinary values.
    pub lower: f64,
    /// Upper bound of ordinary values.
    pub upper: f64,
}

/// The outliers of a history (oldest first, NaN if missing), ascending: those that [`find`](super::find) counts.
///
/// An outlier is a value whose distances from trend plus season (STL; Cleveland et al., 1990) and from the median of
/// its neighbours are both more than 4 robust standard deviations of the ordinary values (1.4826 times their median
/// absolute deviation); the threshold is higher in short series and beyond 90 values. There are no outliers in fewer
/// than 8 values, in intermittent demand, if more than half of the values are equal, or if one exceeds 1e300. Histories
/// of more than 4096 steps are examined in equal pieces.
pub fn anomalies(history: &[f64], season_length: usize) -> Vec<Anomaly> {
    let pieces = history.len().div_ceil(LONGEST).max(1);
    let mut found = Vec::new();
    for piece in 0..pieces {
        let (from, to) = (history.len() * piece / pieces, history.len() * (piece + 1) / pieces);
        look_at(&history[from..to], from, season_length, &mut found);
    }
    found
}

fn look_at(history: &[f64], start: usize, season_length: usize, found: &mut Vec<Anomaly>) {
    let series = Series {
        start,
        history,
        regressors: &[],
        season_length,
        newest: start + history.len(),
        counts: Counts::default(),
        forecast: Forecast::default(),
        backtest: None,
    };
    let Some(of) = Decomposition::of(&series) else { return };
    found.extend(of.outliers.iter().map(|&at| {
        let expected = of.adjusted[at] + of.season[at];
        let [value, expected, lower, upper] =
            [of.values[at], expected, expected - of.reach, expected + of.reach].map(|value| value * of.scale);
        Anomaly { at: of.start + at, value, expected, lower, upper }
    }));
}

#[cfg(test)]
mod tests {
    use tabcast_statistics::random::normal;

    use super::*;

    fn history(count: usize) -> Vec<f64> {
        (0..count).map(|t| 100.0 + [0.0, 5.0, 20.0, 3.0][t % 4] + normal(7, t as u64)).collect()
    }

    #[test]
    fn a_planted_value_is_found_with_bounds_around_what_is_expected() {
        let mut values = history(120);
        values[50] += 60.0;
        values[70] = f64::NAN;
        let found = anomalies(&values, 4);
        assert_eq!(found.len(), 1);
        let anomaly = found[0];
        assert_eq!((anomaly.at, anomaly.value), (50, values[50]));
        assert!((anomaly.expected - 120.0).abs() < 6.0, "{anomaly:?}");
        assert!(anomaly.lower < anomaly.expected && anomaly.expected < anomaly.upper);
        assert!(anomaly.upper < anomaly.value && anomaly.upper - anomaly.lower < 20.0, "{anomaly:?}");
    }

    #[test]
    fn long_histories_are_looked_at_to_their_beginning() {
        let mut values = history(10_000);
        for at in [100, 4_500, 9_990] {
            values[at] -= 80.0;
        }
        let places: Vec<usize> = anomalies(&values, 4).into_iter().map(|anomaly| anomaly.at).collect();
        assert_eq!(places, [100, 4_500, 9_990]);
    }

    #[test]
    fn nothing_is_found_in_nothing() {
        assert_eq!(anomalies(&[], 7), []);
        assert_eq!(anomalies(&[f64::NAN; 30], 7), []);
        assert_eq!(anomalies(&[5.0; 30], 7), []);
    }
}
