//! Tail probabilities.

/// The probability that a standard normal variable is at least `z` away from 0, on either side.
///
/// Source: `erfcc` of Press et al., Numerical Recipes (2nd edition), section 6.2: relative error below 1.2e-7.
pub(super) fn two_sided(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.5 * x);
    let polynomial = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| sum * t + coefficient);
    (t * (polynomial - x * x).exp()).min(1.0)
}

/// The standard normal deviate that an F statistic with `first` and `second` degrees of freedom corresponds to.
///
/// Source: Paulson, An approximate normalization of the analysis of variance distribution, Annals of Mathematical
/// Statistics 13 (1942), 233-235.
pub(super) fn normal_of_f(f: f64, first: f64, second: f64) -> f64 {
    let root = f.cbrt();
    let (a, b) = (2.0 / (9.0 * first), 2.0 / (9.0 * second));
    (root * (1.0 - b) - (1.0 - a)) / (b * root * root + a).sqrt()
}

/// The probability that a fair coin shows one side at most `fewer` times, or that often the other side, in `count`
/// throws: the sign test, exact up to 500 throws and by the normal approximation beyond.
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

const COEFFICIENTS: [f64; 10] = [
    -1.265_512_23,
    1.000_023_68,
    0.374_091_96,
    0.096_784_18,
    -0.186_288_06,
    0.278_868_07,
    -1.135_203_98,
    1.488_515_87,
    -0.822_152_23,
    0.170_872_77,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels of standard tables.
    #[test]
    fn agrees_with_tables() {
        for (z, p) in [(0.0, 1.0), (1.959_964, 0.05), (2.575_829, 0.01), (4.891_638, 1e-6)] {
            assert!((two_sided(z) / p - 1.0).abs() < 1e-5, "{z}");
            assert_eq!(two_sided(z), two_sided(-z));
        }
        // The 99 % points of F(11, 60) and F(6, 28).
        for (f, first, second) in [(2.559, 11.0, 60.0), (3.528, 6.0, 28.0)] {
            assert!((normal_of_f(f, first, second) - 2.326).abs() < 0.02, "{f}");
        }
        // 1 + 10 of 1024 ways, on both sides.
        assert_eq!(sign_test(1, 10), 22.0 / 1024.0);
        assert_eq!(sign_test(5, 10), 1.0);
        assert!((sign_test(220, 500) / sign_test(221, 502) - 1.0).abs() < 0.1);
        assert_eq!(sign_test(1000, 2000), 1.0);
    }
}
