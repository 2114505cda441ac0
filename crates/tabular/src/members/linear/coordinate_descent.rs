//! Least squares with an elastic net, one weight after the other (Friedman, Hastie and Tibshirani, *Regularization
//! paths for generalized linear models via coordinate descent*, 2010, section 2.2).

use super::penalty::Penalty;
use crate::Stop;

/// Maximum number of rounds over the weights.
const MOST_ROUNDS: usize = 1_000;

/// Moves `point`, one weight per column, to the minimum of `point' gram point / 2 - right' point` plus its penalty.
/// `gram` has the mean products of all pairs of columns, `right` those with the target. It ends when no step of a round
/// lowers the value by more than `tolerance`, after [`MOST_ROUNDS`], or when stopped.
pub(super) fn descend(
    gram: &[f64],
    right: &[f64],
    penalty: Penalty,
    tolerance: f64,
    point: &mut [f64],
    stop: Stop<'_>,
) {
    let width = right.len();
    let mut slopes = right.to_vec();
    for (row, &weight) in gram.chunks_exact(width.max(1)).zip(&*point) {
        add(&mut slopes, row, -weight);
    }
    // Most weights are zero and stay zero, so all weights are only updated once the others have settled.
    let mut is_whole = true;
    for _ in 0..MOST_ROUNDS {
        if stop() {
            return;
        }
        let mut largest = 0.0_f64;
        for place in 0..width {
            let row = &gram[place * width..][..width];
            let (curvature, weight) = (row[place], point[place]);
            if curvature <= 0.0 || (weight == 0.0 && !is_whole) {
                continue;
            }
            let pull = slopes[place] + curvature * weight;
            let size = (pull.abs() - penalty.absolute).max(0.0) / (curvature + penalty.square);
            let change = size.copysign(pull) - weight;
            if change != 0.0 {
                point[place] = size.copysign(pull);
                add(&mut slopes, row, -change);
                largest = largest.max(0.5 * (curvature + penalty.square) * change * change);
            }
        }
        let is_settled = largest <= tolerance;
        if is_settled && is_whole {
            return;
        }
        is_whole = is_settled;
    }
}

fn add(out: &mut [f64], values: &[f64], factor: f64) {
    out.iter_mut().zip(values).for_each(|(out, value)| *out += factor * value);
}
