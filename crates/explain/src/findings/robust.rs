//! Robust location and spread.

/// Scales the median absolute deviation of a normal distribution to its standard deviation.
const NORMAL: f64 = 1.482_602_218_505_602;

/// The median; reorders `values`. NaN for no values.
pub(super) fn median(values: &mut [f64]) -> f64 {
    let count = values.len();
    if count == 0 {
        return f64::NAN;
    }
    let (below, &mut upper, _) = values.select_nth_unstable_by(count / 2, f64::total_cmp);
    if count % 2 == 1 {
        return upper;
    }
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    f64::midpoint(lower, upper)
}

/// Median and scaled median absolute deviation; `room` is working memory.
///
/// Source: Rousseeuw and Croux, Alternatives to the median absolute deviation, Journal of the American Statistical
/// Association 88 (1993), equation 1.2.
pub(super) fn centre_and_spread(values: &[f64], room: &mut Vec<f64>) -> (f64, f64) {
    room.clear();
    room.extend_from_slice(values);
    let centre = median(room);
    for (deviation, value) in room.iter_mut().zip(values) {
        *deviation = (value - centre).abs();
    }
    (centre, NORMAL * median(room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_even_and_no_values() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&mut []).is_nan());
    }

    #[test]
    fn one_wild_value_moves_neither_centre_nor_spread() {
        let mut room = Vec::new();
        let (centre, spread) = centre_and_spread(&[1.0, 2.0, 3.0, 4.0, 1e9], &mut room);
        assert_eq!((centre, spread), (3.0, NORMAL));
    }
}
