//! Quantiles of weighted values.

/// The smallest value at or below which lies at least a share `level` of the weight. The values are pairs (value,
/// weight), which this function sorts. 0 without values.
pub(crate) fn weighted_quantile(values: &mut [(f64, f64)], level: f64) -> f64 {
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let whole: f64 = values.iter().map(|value| value.1).sum();
    let mut below = 0.0;
    for &(value, weight) in values.iter() {
        below += weight;
        // The slack covers sums of weights such as 0.1, which may end just below their share.
        if below >= level * whole * (1.0 - 1e-12) {
            return value;
        }
    }
    values.last().map_or(0.0, |last| last.0)
}

/// Like [`weighted_quantile`] with equal weights, without sorting; it reorders the values.
pub(crate) fn quantile(values: &mut [f64], level: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let at = (level * values.len() as f64 * (1.0 - 1e-12)).ceil() as usize;
    *values.select_nth_unstable_by(at.clamp(1, values.len()) - 1, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_count_as_repetitions() {
        for level in [0.01, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 0.99] {
            let mut weighted = [(3.0, 2.0), (1.0, 4.0), (2.0, 1.0), (7.0, 3.0)];
            let mut repeated = [3.0, 3.0, 1.0, 1.0, 1.0, 1.0, 2.0, 7.0, 7.0, 7.0];
            assert_eq!(weighted_quantile(&mut weighted, level), quantile(&mut repeated, level), "{level}");
        }
    }
}
