//! Percentile intervals by drawing rows with replacement (Efron and Tibshirani, 1993).

use rayon::prelude::*;
use tabcast_statistics::random;

use super::Metrics;

/// Number of samples; fewer if rows or classes are so many that they would take long, since intervals are then narrow
/// anyway.
const SAMPLES: usize = 1_000;
const FEWEST: usize = 100;
const MOST_CELLS: usize = 40_000_000;

/// The 2.5 % and 97.5 % quantiles of each metric over bootstrap samples; none if the metric is undefined in most of
/// them.
pub(crate) fn intervals(metrics: &dyn Metrics, outputs: usize, seed: u64) -> Vec<Option<(f64, f64)>> {
    let rows = metrics.rows();
    if rows < 2 {
        return Vec::new();
    }
    let samples = (MOST_CELLS / (rows * outputs)).clamp(FEWEST, SAMPLES);
    let drawn: Vec<Vec<Option<f64>>> = (0..samples as u64)
        .into_par_iter()
        .map(|sample| {
            let stream = random::bits(seed, sample);
            let mut weights = vec![0.0; rows];
            for draw in 0..rows as u64 {
                weights[(random::bits(stream, draw) % rows as u64) as usize] += 1.0;
            }
            metrics.measure(&weights).into_iter().map(|(_, value)| value).collect()
        })
        .collect();
    let measures = drawn.first().map_or(0, Vec::len);
    (0..measures)
        .map(|measure| {
            let mut values: Vec<f64> = drawn.iter().filter_map(|sample| sample[measure]).collect();
            if values.len() * 2 < samples {
                return None;
            }
            values.sort_by(f64::total_cmp);
            let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
            Some((at(0.025), at(0.975)))
        })
        .collect()
}
