//! Tail probabilities.

use tabcast_statistics::normal_upper_tail;

/// The probability that the absolute value of a standard normal variable is at least `z`.
pub(super) fn two_sided(z: f64) -> f64 {
    2.0 * normal_upper_tail(z.abs())
}

/// The two-sided p value of the sign test: the probability that one side of a fair coin shows at most `fewer` times in
/// `count` throws. Exact up to 500 throws, by normal approximation beyond.
pub(super) fn sign_test(fewer: usize, count: usize) -> f64 {
    if count > 500 {
        let n = count as f64;
        return two_sided(((n - 1.0) / 2.0 - fewer as f64).max(0.0) / (n.sqrt() / 2.0));
    }
    let mut term = 0.5f64.powi(count as i32);
    let mut sum = 0.0;
    for k in 0..=fewer {
        sum += term;
        term *= (count - k) as f64 / (k + 1) as f64;
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with standard tables.
    #[test]
    fn agrees_with_tables() {
        for (z, p) in [(0.0, 1.0), (1.959_964, 0.05), (2.575_829, 0.01), (4.891_638, 1e-6)] {
            assert!((two_sided(z) / p - 1.0).abs() < 1e-5, "{z}");
            assert_eq!(two_sided(z), two_sided(-z));
        }
        // 1 + 10 of 1024 outcomes, on both sides.
        assert_eq!(sign_test(1, 10), 22.0 / 1024.0);
        assert_eq!(sign_test(5, 10), 1.0);
        assert!((sign_test(220, 500) / sign_test(221, 502) - 1.0).abs() < 0.1);
        assert_eq!(sign_test(1000, 2000), 1.0);
    }
}
