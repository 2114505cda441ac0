//! Tests whether the phases of a season differ by more than chance.

use tabcast_statistics::f_upper_tail;

const LEVEL: f64 = 0.01;

/// Whether the means of the phases of `period` differ at the 1 % level, by an analysis of variance of detrended values.
/// False with fewer than two cycles.
pub(super) fn phases_differ(detrended: &[f64], period: usize) -> bool {
    let count = detrended.len();
    if period < 2 || count < 2 * period {
        return false;
    }
    let mut sums = vec![(0.0, 0.0); period];
    for (index, value) in detrended.iter().enumerate() {
        let (sum, squares) = &mut sums[index % period];
        *sum += value;
        *squares += value * value;
    }
    let mean = sums.iter().map(|(sum, _)| sum).sum::<f64>() / count as f64;
    let (mut between, mut within) = (0.0, 0.0);
    for (phase, (sum, squares)) in sums.iter().enumerate() {
        let cycles = ((count - phase).div_ceil(period)) as f64;
        between += cycles * (sum / cycles - mean).powi(2);
        within += (squares - sum * sum / cycles).max(0.0);
    }
    let (first, second) = ((period - 1) as f64, (count - period) as f64);
    if within <= 1e-12 * between {
        return between > 0.0;
    }
    f_upper_tail((between / first) / (within / second), first, second) < LEVEL
}
