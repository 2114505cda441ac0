//! Slope and significance of a trend, by ranks and medians.

use super::robust::median;
use super::tail::two_sided;

/// Maximum number of pairs of steps for a slope.
const PAIRS: usize = 6_000;

/// The median of the slopes between pairs of steps: all pairs if there are few, otherwise those at least a quarter of
/// the series apart, at evenly spaced distances.
///
/// Source: Sen, Estimates of the regression coefficient based on Kendall's tau, Journal of the American Statistical
/// Association 63 (1968). Leaving out near pairs loses little: they say least about the slope.
pub(super) fn theil_sen_slope(values: &[f64], room: &mut Vec<f64>) -> f64 {
    let count = values.len();
    if count < 2 {
        return 0.0;
    }
    room.clear();
    let all = count * (count - 1) / 2;
    let nearest = if all <= PAIRS { 1 } else { count.div_ceil(4) };
    let far: usize = (nearest..count).map(|distance| count - distance).sum();
    let stride = far.div_ceil(PAIRS);
    for distance in (nearest..count).step_by(stride) {
        let share = 1.0 / distance as f64;
        room.extend(values[distance..].iter().zip(values).map(|(later, earlier)| (later - earlier) * share));
    }
    median(room)
}

/// The two-sided p value of the hypothesis that the values have no monotone trend, if only a share `share` of them is
/// independent. 1 for fewer than four values and for constants.
///
/// Source: Kendall, Rank correlation methods (1948), with his correction for ties; O(n log n) after Knight, A computer
/// method for calculating Kendall's tau, Journal of the American Statistical Association 61 (1966).
pub(super) fn mann_kendall_p(values: &[f64], share: f64) -> f64 {
    let count = values.len();
    if count < 4 {
        return 1.0;
    }
    let mut sorted = values.to_vec();
    let discordant = inversions(&mut sorted, &mut Vec::with_capacity(count)) as f64;
    let n = count as f64;
    let (mut tied_pairs, mut tied_variance) = (0.0, 0.0);
    for group in sorted.chunk_by(|left, right| left == right) {
        let t = group.len() as f64;
        tied_pairs += t * (t - 1.0) / 2.0;
        tied_variance += t * (t - 1.0) * (2.0 * t + 5.0);
    }
    let score = n * (n - 1.0) / 2.0 - tied_pairs - 2.0 * discordant;
    let variance = (n * (n - 1.0) * (2.0 * n + 5.0) - tied_variance) / 18.0 / share;
    if variance <= 0.0 {
        return 1.0;
    }
    two_sided((score.abs() - 1.0).max(0.0) / variance.sqrt())
}

/// Sorts, and counts the pairs that were in the wrong order.
fn inversions(values: &mut [f64], room: &mut Vec<f64>) -> u64 {
    if values.len() <= 16 {
        let mut count = 0;
        for at in 1..values.len() {
            let value = values[at];
            let place = values[..at].iter().rposition(|other| *other <= value).map_or(0, |before| before + 1);
            count += (at - place) as u64;
            values.copy_within(place..at, place + 1);
            values[place] = value;
        }
        return count;
    }
    let half = values.len() / 2;
    let (left, right) = values.split_at_mut(half);
    let mut count = inversions(left, room) + inversions(right, room);
    room.clear();
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        if left[l] <= right[r] {
            room.push(left[l]);
            l += 1;
        } else {
            count += (left.len() - l) as u64;
            room.push(right[r]);
            r += 1;
        }
    }
    room.extend_from_slice(&left[l..]);
    room.extend_from_slice(&right[r..]);
    values.copy_from_slice(room);
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn inversions_are_the_pairs_in_the_wrong_order(values in prop::collection::vec(0u8..20, 0..80)) {
            let mut numbers: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
            let pairs = (0..values.len()).flat_map(|i| (i + 1..values.len()).map(move |j| (i, j)));
            let expected = pairs.filter(|&(i, j)| values[i] > values[j]).count() as u64;
            prop_assert_eq!(inversions(&mut numbers, &mut Vec::new()), expected);
            prop_assert!(numbers.is_sorted());
        }

        #[test]
        fn the_slope_of_a_line_is_found_however_long(count in 2usize..600, slope in -5.0..5.0f64) {
            let line: Vec<f64> = (0..count).map(|t| 3.0 + slope * t as f64).collect();
            prop_assert!((theil_sen_slope(&line, &mut Vec::new()) - slope).abs() < 1e-9);
        }
    }

    /// Hand computed: of the 15 pairs of 1, 3, 2, 4, 5, 6 one is discordant: S = 13, variance 6·5·17/18, z = 12 /
    /// 5.323.
    #[test]
    fn agrees_with_a_hand_computed_case() {
        let p = mann_kendall_p(&[1.0, 3.0, 2.0, 4.0, 5.0, 6.0], 1.0);
        assert!((p - two_sided(12.0 / (510.0f64 / 18.0).sqrt())).abs() < 1e-12);
        assert_eq!(mann_kendall_p(&[2.0; 9], 1.0), 1.0);
    }

    #[test]
    fn a_fifth_of_wild_values_leaves_the_slope() {
        let values: Vec<f64> = (0..300).map(|t| if t % 5 == 0 { 1e6 } else { f64::from(t) * 0.5 }).collect();
        assert!((theil_sen_slope(&values, &mut Vec::new()) - 0.5).abs() < 0.2);
    }
}
