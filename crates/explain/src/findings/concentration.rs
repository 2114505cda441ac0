//! Whether few series make up most of the volume.

use serde::Serialize;

/// The largest tenth of the series has more than half of the volume.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Concentration {
    /// Number of series in the largest tenth.
    pub series: usize,
    /// Number of all series.
    pub of: usize,
    /// Their share of the volume.
    pub share: f64,
}

const LEAST: f64 = 0.5;
const LEAST_SERIES: usize = 10;

pub(super) fn concentration(volumes: &[f64]) -> Option<Concentration> {
    let of = volumes.len();
    let series = of.div_ceil(10);
    let largest = volumes.iter().copied().fold(0.0, f64::max);
    if of < LEAST_SERIES || largest <= 0.0 {
        return None;
    }
    let mut shares: Vec<f64> = volumes.iter().map(|volume| volume / largest).collect();
    shares.sort_by(|left, right| right.total_cmp(left));
    let share = shares[..series].iter().sum::<f64>() / shares.iter().sum::<f64>();
    (share > LEAST).then_some(Concentration { series, of, share })
}
