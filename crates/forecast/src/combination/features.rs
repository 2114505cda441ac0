//! Scale-free features of a history.

use tabcast_statistics::{autocorrelation, seasonal_strength};

/// Number of features.
pub(crate) const FEATURES: usize = 12;

/// Length, memory, trend, season, noise and jumps of a regular, finite history of at least four values that are not all
/// the same. After the features of Montero-Manso, Athanasopoulos, Hyndman and Talagala, FFORMA: Feature-based forecast
/// model averaging (International Journal of Forecasting 36, 2020), reduced to those that one or two passes can
/// compute.
pub(crate) fn features(values: &[f64], season: usize) -> [f64; FEATURES] {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    // Squares of scaled values neither overflow nor vanish.
    let scaled: Vec<f64> = values.iter().map(|value| value / largest).collect();
    let changes: Vec<f64> = scaled.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (level, spread) = mean_and_deviation(&scaled);
    let (drift, volatility) = mean_and_deviation(&changes);
    let size = changes.iter().map(|change| change.abs()).sum::<f64>() / changes.len() as f64;
    let biggest = changes.iter().fold(0.0_f64, |biggest, change| biggest.max(change.abs()));
    let recent = (scaled.len() / 3).min(2 * season.max(3)).max(3).min(changes.len());
    let (_, recent_volatility) = mean_and_deviation(&changes[changes.len() - recent..]);
    let rise = (scaled[scaled.len() - 1] - scaled[scaled.len() - 1 - recent]) / (recent as f64 * size);
    let lag = if season > 1 { season } else { 2 };
    [
        (scaled.len() as f64).ln(),
        autocorrelation(&changes, 1),
        autocorrelation(&scaled, 1),
        trend_strength(&scaled, spread),
        seasonal_strength(&scaled, season),
        ratio(drift.abs(), volatility),
        rise.tanh(),
        (ratio(spread, level.abs()) + 1e-3).ln(),
        autocorrelation(&changes, lag),
        ratio(recent_volatility, volatility),
        ratio(biggest, size).max(1.0).ln(),
        (season.max(1) as f64).ln(),
    ]
}

/// The ratio, capped at 1,000 so that a history without noise does not drown all other features.
fn ratio(above: f64, below: f64) -> f64 {
    if above <= 0.0 { 0.0 } else { (above / below).min(1e3) }
}

fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

/// The share of the variance that a straight line explains, 0 to 1.
fn trend_strength(values: &[f64], spread: f64) -> f64 {
    let count = values.len() as f64;
    let centre = 0.5 * (count - 1.0);
    let (mut with_time, mut time) = (0.0, 0.0);
    for (step, value) in values.iter().enumerate() {
        let from_centre = step as f64 - centre;
        with_time += from_centre * value;
        time += from_centre * from_centre;
    }
    let explained = with_time * with_time / time / count;
    if spread > 0.0 { (explained / (spread * spread)).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(scale: f64) -> Vec<f64> {
        (0..48)
            .map(|t| scale * (20.0 + 0.3 * f64::from(t) + f64::from(t % 12) + f64::from(t * t * 7 % 5)))
            .collect()
    }

    #[test]
    fn features_do_not_depend_on_the_scale() {
        let one = features(&history(1.0), 12);
        for scale in [1e-12, 3.0, 1e15, 1e300] {
            for (a, b) in one.iter().zip(features(&history(scale), 12)) {
                assert!((a - b).abs() < 1e-9, "{scale}: {a} and {b}");
            }
        }
    }

    #[test]
    fn features_are_finite_for_odd_histories() {
        let odd: [&[f64]; 5] = [
            &[0.0, 0.0, 0.0, 1.0],
            &[1.0, 2.0, 3.0, 4.0],
            &[-1.0, 1.0, -1.0, 1.0, -1.0],
            &[1e308, -1e308, 1e308, 0.0],
            &[5.0, 5.0, 5.0, 5.0, 5.000_000_000_1],
        ];
        for values in odd {
            for season in [1, 2, 12] {
                assert!(
                    features(values, season).iter().all(|value| value.is_finite()),
                    "{values:?} {season}"
                );
            }
        }
    }
}
