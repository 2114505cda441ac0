//! Tests and measures seasonality.

use crate::autocorrelations;

/// The one-sided 95 % quantile of the normal distribution.
const NORMAL_95: f64 = 1.645;

/// Whether the autocorrelation at lag `period` is significant at the 90 % level, given those at shorter lags;
/// false when `period` is below 2 or the series has fewer than three cycles.
///
/// Source: the seasonality test of the Theta method (Assimakopoulos and Nikolopoulos, 2000), as used by the
/// M3 and M4 competitions: `|r[m]| > 1.645 · sqrt((1 + 2 · sum of r[i]² for i < m) / n)`.
pub fn has_season(values: &[f64], period: usize) -> bool {
    if period < 2 || values.len() < 3 * period {
        return false;
    }
    let correlations = autocorrelations(values, period);
    let (shorter, at_period) = correlations.split_at(period - 1);
    let spread: f64 = 1.0 + 2.0 * shorter.iter().map(|r| r * r).sum::<f64>();
    at_period[0].abs() > NORMAL_95 * (spread / values.len() as f64).sqrt()
}

/// The centred moving average over one period of odd length, or the 2 × `period` average for an even one, of the same
/// length as the series: the first and the last half period repeat the nearest average.
///
/// For a series shorter than a period (plus one if even), the mean everywhere.
pub fn moving_average(values: &[f64], period: usize) -> Vec<f64> {
    let length = values.len();
    let half = period / 2;
    if length < 2 * half + 1 {
        return vec![values.iter().sum::<f64>() / length.max(1) as f64; length];
    }
    let even = period.is_multiple_of(2);
    let mut averages = vec![0.0; length];
    for centre in half..length - half {
        let window = &values[centre - half..=centre + half];
        let ends = if even { f64::midpoint(window[0], window[2 * half]) } else { 0.0 };
        let inner = if even { &window[1..2 * half] } else { window };
        averages[centre] = (inner.iter().sum::<f64>() + ends) / period as f64;
    }
    let (first, last) = (averages[half], averages[length - half - 1]);
    averages[..half].fill(first);
    averages[length - half..].fill(last);
    averages
}

/// The share of the variation around the trend that is seasonal, from 0 (none) to 1 (all): `1 - var(remainder) /
/// var(season + remainder)` of an additive decomposition by moving averages.
///
/// Zero if `period` is below 2 or the series has fewer than two cycles and a step.
///
/// Source: Wang, Smith and Hyndman, Characteristic-based clustering for time series data (2006).
pub fn seasonal_strength(values: &[f64], period: usize) -> f64 {
    let length = values.len();
    if period < 2 || length <= 2 * period {
        return 0.0;
    }
    let half = period / 2;
    let trend = moving_average(values, period);
    let inside = half..length - half;
    let mut means = vec![0.0; period];
    let mut counts = vec![0.0; period];
    for index in inside.clone() {
        means[index % period] += values[index] - trend[index];
        counts[index % period] += 1.0;
    }
    for (mean, count) in means.iter_mut().zip(counts) {
        *mean /= count;
    }
    let (detrended, remainder) = inside
        .map(|index| {
            let detrended = values[index] - trend[index];
            (detrended, detrended - means[index % period])
        })
        .fold((Moments::default(), Moments::default()), |(d, r), (detrended, remainder)| {
            (d.with(detrended), r.with(remainder))
        });
    let total = detrended.variance();
    if total > 0.0 { (1.0 - remainder.variance() / total).clamp(0.0, 1.0) } else { 0.0 }
}

/// Running mean and sum of squared deviations (Welford, 1962), which do not cancel if the mean is large.
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn with(self, value: f64) -> Self {
        let count = self.count + 1.0;
        let change = value - self.mean;
        let mean = self.mean + change / count;
        Self { count, mean, squares: self.squares + change * (value - mean) }
    }

    fn variance(self) -> f64 {
        self.squares / self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seasonal(length: usize) -> Vec<f64> {
        (0..length).map(|t| [3.0, -1.0, 0.0, -2.0][t % 4] + 0.1 * t as f64).collect()
    }

    /// Pseudo-random numbers, the same everywhere.
    fn noise(length: usize) -> Vec<f64> {
        (0..length).map(|t| ((t * t * 37 + t * 11) % 101) as f64 / 101.0).collect()
    }

    #[test]
    fn moving_average_recovers_a_line_under_a_season() {
        let averages = moving_average(&seasonal(20), 4);
        for (t, average) in averages.iter().enumerate().take(18).skip(2) {
            assert!((average - 0.1 * t as f64).abs() < 1e-12);
        }
        assert_eq!((averages[0], averages[19]), (averages[2], averages[17]));
        assert_eq!(moving_average(&[1.0, 2.0, 3.0], 3), [2.0; 3]);
        assert_eq!(moving_average(&[1.0, 3.0], 7), [2.0; 2]);
    }

    #[test]
    fn strength_is_one_for_a_pure_season_and_small_for_noise() {
        assert!(seasonal_strength(&seasonal(40), 4) > 1.0 - 1e-12);
        assert!(seasonal_strength(&noise(400), 4) < 0.1);
        assert_eq!(seasonal_strength(&[1.0; 40], 4), 0.0);
        assert_eq!(seasonal_strength(&seasonal(8), 4), 0.0);
    }

    #[test]
    fn the_test_sees_a_season_and_no_season_in_noise() {
        assert!(has_season(&seasonal(40), 4));
        assert!(!has_season(&noise(200), 12));
        assert!(!has_season(&seasonal(11), 4));
        assert!(!has_season(&[1.0; 40], 4));
    }
}
