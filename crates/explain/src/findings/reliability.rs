//! Converts the score of a confidence to a probability.

/// Scores, and the observed share of series whose error on the next horizon was below that of the seasonal naive
/// forecast, both ascending: an isotonic regression over 1,440 series of eleven public sets (M4 yearly to hourly,
/// hospital, car parts, NN5, Rossmann, Wikipedia), each forecast by `balanced` without its last horizon.
/// `bench/explain` prints it, and judges it on as many other series.
const KNOTS: [(f64, f64); 11] = [
    (0.375, 0.533),
    (0.4, 0.613),
    (0.437, 0.637),
    (0.601, 0.667),
    (0.642, 0.674),
    (0.682, 0.766),
    (0.73, 0.785),
    (0.776, 0.789),
    (0.8, 0.796),
    (0.844, 0.814),
    (0.936, 0.917),
];

/// Interpolates linearly between the knots; beyond them, the nearest knot applies.
pub(super) fn reliability(score: f64) -> f64 {
    let after = KNOTS.partition_point(|knot| knot.0 < score);
    if after == 0 || after == KNOTS.len() {
        return KNOTS[after.min(KNOTS.len() - 1)].1;
    }
    let ((x0, y0), (x1, y1)) = (KNOTS[after - 1], KNOTS[after]);
    y0 + (y1 - y0) * (score - x0) / (x1 - x0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_scores_never_mean_less() {
        assert!(KNOTS.is_sorted_by(|one, other| one.0 < other.0 && one.1 <= other.1));
        let values: Vec<f64> = (0..=1000).map(|step| reliability(f64::from(step) / 1000.0)).collect();
        assert!(values.is_sorted());
        assert_eq!((values[0], values[1000]), (KNOTS[0].1, KNOTS[10].1));
        assert!((reliability(0.753) - 0.787).abs() < 1e-12);
    }
}
