//! Adjusts p values for multiple tests.

/// Adjusted p values in the order given: the smallest false discovery rate at which each is significant.
///
/// Every result lies in [0, 1] and is at least the original p value; NaN counts as 1.
///
/// Source: Benjamini and Hochberg, Controlling the false discovery rate, JRSS B 57 (1995), 289-300, in the step-up
/// form.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least = 1.0_f64;
    for (place, &index) in order.iter().enumerate().rev() {
        least = least.min(p_values[index] * p_values.len() as f64 / (place + 1) as f64);
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first example of the documentation of `scipy.stats.false_discovery_control`, taken from table 1 of the
    /// paper.
    #[test]
    fn matches_the_example_of_the_paper() {
        let p_values = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
            0.6528, 0.7590, 1.0,
        ];
        let expected = [
            0.0015,
            0.003,
            0.0095,
            0.035_625,
            0.0603,
            0.063_857_142_857_142_86,
            0.063_857_142_857_142_86,
            0.0645,
            0.076_500_000_000_000_01,
            0.486,
            0.581_181_818_181_818_1,
            0.714_874_999_999_999_9,
            0.753_230_769_230_769_3,
            0.813_214_285_714_285_7,
            1.0,
        ];
        for (found, expected) in benjamini_hochberg(&p_values).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14, "{found} instead of {expected}");
        }
    }

    #[test]
    fn nothing_gives_nothing_and_nan_counts_as_one() {
        assert!(benjamini_hochberg(&[]).is_empty());
        assert_eq!(benjamini_hochberg(&[f64::NAN, 0.01]), [1.0, 0.02]);
    }
}
