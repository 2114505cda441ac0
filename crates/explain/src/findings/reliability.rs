//! From the score of a confidence to a probability.

/// Scores and the observed share of series whose error on the next horizon was below that of the seasonal naive
/// forecast, both ascending. The identity: it has not been fitted.
const KNOTS: [(f64, f64); 2] = [(0.0, 0.0), (1.0, 1.0)];

/// Straight lines between the knots, and the nearest knot beyond them.
pub(super) fn reliability(score: f64) -> f64 {
    let after = KNOTS.partition_point(|knot| knot.0 < score);
    if after == 0 || after == KNOTS.len() {
        return KNOTS[after.min(KNOTS.len() - 1)].1;
    }
    let ((x0, y0), (x1, y1)) = (KNOTS[after - 1], KNOTS[after]);
    y0 + (y1 - y0) * (score - x0) / (x1 - x0)
}
