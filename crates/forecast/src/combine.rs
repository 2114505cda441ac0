/// The median, which moves `values` about; the mean of the middle two for an even count.
///
/// A median of members is what the best plain combinations of the M4 competition used (Petropoulos and Svetunkov 2020),
/// and one member that goes astray cannot move it far. Applied to each quantile level it is quantile averaging
/// (Vincentisation) in its robust form: the median of ascending sequences is ascending.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    debug_assert!(!values.is_empty());
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn one_wild_member_does_not_move_the_median() {
        assert_eq!(median(&mut [3.0, 1e300, 2.0]), 3.0);
        assert_eq!(median(&mut [4.0, 2.0]), 3.0);
        assert_eq!(median(&mut [7.0]), 7.0);
    }
}
