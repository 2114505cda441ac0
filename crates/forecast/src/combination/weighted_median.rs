/// The weighted median of `(value, weight)` pairs, which this function sorts. It interpolates linearly between the two
/// values around the middle of the weight, so equal weights give the plain median.
///
/// A median of members is the method of the best plain combinations of the M4 competition (Petropoulos and Svetunkov
/// 2020), and one member that goes astray cannot move it far. Applied to a quantile of each member it is the robust
/// form of quantile averaging (Vincentisation). Weights must be positive.
pub(crate) fn weighted_median(values: &mut [(f64, f64)]) -> f64 {
    debug_assert!(!values.is_empty());
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * values.iter().map(|value| value.1).sum::<f64>();
    // A value sits at the middle of its own weight.
    let (mut before, mut at) = (values[0], 0.0);
    let mut total = 0.0;
    for &value in values.iter() {
        let place = total + 0.5 * value.1;
        if place >= half {
            let gap = place - at;
            let share = if at > 0.0 && gap > 0.0 { (half - at) / gap } else { 1.0 };
            return before.0 * (1.0 - share) + value.0 * share;
        }
        total += value.1;
        (before, at) = (value, place);
    }
    before.0
}

#[cfg(test)]
mod tests {
    use super::weighted_median;

    #[test]
    fn equal_weights_give_the_plain_median() {
        assert_eq!(weighted_median(&mut [(3.0, 1.0), (1e300, 1.0), (2.0, 1.0)]), 3.0);
        assert_eq!(weighted_median(&mut [(4.0, 0.5), (2.0, 0.5)]), 3.0);
        assert_eq!(weighted_median(&mut [(7.0, 0.1)]), 7.0);
    }

    #[test]
    fn weight_draws_the_median_towards_its_value() {
        assert_eq!(weighted_median(&mut [(1.0, 1.0), (2.0, 3.0)]), 1.75);
        assert_eq!(weighted_median(&mut [(1.0, 0.2), (2.0, 5.0), (9.0, 0.2)]), 2.0);
        // A member with more than half of the weight decides almost alone.
        assert!((weighted_median(&mut [(1.0, 8.0), (5.0, 1.0), (6.0, 1.0)]) - 1.0).abs() < 1.0);
    }
}
