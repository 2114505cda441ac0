//! The beta function and its regularised incomplete form.

use crate::gamma::{MOST_TERMS, away_from_zero, ln_gamma, stirling_correction};

/// The regularised incomplete beta function `I_x(a, b)`: 0 at 0, rising to 1 at 1.
///
/// NaN unless `a` and `b` are positive and finite and `x` lies in [0, 1].
///
/// Source: the continued fraction DLMF 8.17.22 by the method of Lentz, on the side of the mean where it converges
/// fast, as in Press et al., Numerical Recipes, 3rd edition, section 6.4. About 12 digits, for parameters up to a
/// million.
pub fn regularised_beta(a: f64, b: f64, x: f64) -> f64 {
    regularised_beta_of(a, b, x, 1.0 - x)
}

/// Takes both `x` and `1 - x`, so that neither loses precision when the other is close to 1.
pub(crate) fn regularised_beta_of(a: f64, b: f64, x: f64, rest: f64) -> f64 {
    let is_parameter = |p: f64| p > 0.0 && p.is_finite();
    if !(is_parameter(a) && is_parameter(b) && x >= 0.0 && rest >= 0.0) {
        return f64::NAN;
    }
    if x == 0.0 || rest == 0.0 {
        return f64::from(u8::from(rest == 0.0));
    }
    let front = (a * ln_of(x, rest) + b * ln_of(rest, x) - ln_beta(a, b)).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(a, b, x) / a
    } else {
        1.0 - front * fraction(b, a, rest) / b
    }
}

/// The logarithm of `x`, from its distance to 1 if that is more precise.
fn ln_of(x: f64, rest: f64) -> f64 {
    if rest < 0.5 { (-rest).ln_1p() } else { x.ln() }
}

/// The logarithm of the beta function of two positive numbers.
///
/// Source: Fullerton's routine DLBETA in SLATEC; the corrections of Stirling's formula are summed separately, so that
/// large parameters do not cancel.
pub(crate) fn ln_beta(a: f64, b: f64) -> f64 {
    let (small, large) = (a.min(b), a.max(b));
    if large < 10.0 {
        return ln_gamma(small) + (ln_gamma(large) - ln_gamma(small + large));
    }
    let sum = small + large;
    let correction = stirling_correction(large) - stirling_correction(sum);
    let share = (-small / sum).ln_1p();
    if small < 10.0 {
        return ln_gamma(small) + correction + small - small * sum.ln() + (large - 0.5) * share;
    }
    0.5 * (std::f64::consts::TAU / large).ln()
        + (correction + stirling_correction(small))
        + (small - 0.5) * (small / sum).ln()
        + large * share
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let (sum, above, below) = (a + b, a + 1.0, a - 1.0);
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - sum * x / above);
    let mut fraction = d;
    for m in 1..MOST_TERMS {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((below + 2.0 * m) * (a + 2.0 * m));
        let odd = -(a + m) * (sum + m) * x / ((a + 2.0 * m) * (above + 2.0 * m));
        let mut change = 1.0;
        for numerator in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + numerator * d);
            c = away_from_zero(1.0 + numerator / c);
            change = d * c;
            fraction *= change;
        }
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of mpmath 1.4.1 with 40 digits.
    #[test]
    fn matches_reference_values() {
        let cases = [
            (0.5, 0.5, 0.1, 0.204_832_764_699_133_45),
            (2.0, 3.0, 0.4, 0.5248),
            (24.0, 0.5, 0.5, 9.474_312_594_322_566e-09),
            (24.0, 0.5, 0.999, 0.827_424_751_494_521_9),
            (499.0, 0.5, 0.9, 1.162_662_445_507_548_9e-24),
            (4_999.0, 0.5, 0.998, 7.683_617_703_862_5e-06),
            (10.0, 10.0, 0.5, 0.5),
            (200.0, 15.0, 0.95, 0.880_632_106_465_462_1),
            (15.0, 200.0, 0.02, 3.275_725_029_267_792_6e-05),
            (4_000.0, 400.0, 0.9, 0.020_067_739_844_830_713),
        ];
        for (a, b, x, expected) in cases {
            let error = (regularised_beta(a, b, x) - expected).abs();
            assert!(error <= 2e-12 * expected, "{a}, {b}, {x}: off by {error}");
        }
    }

    #[test]
    fn the_complete_function_matches_reference_values() {
        let cases = [
            (0.5, 0.5, 1.144_729_885_849_400_2),
            (2.0, 3.0, -2.484_906_649_788_000_4),
            (0.5, 50_000.0, -4.837_521_699_280_441),
            (12.0, 50_000.0, -112.336_351_465_861_13),
            (300.0, 200.0, -337.980_113_065_464_65),
        ];
        for (a, b, expected) in cases {
            let error = (ln_beta(a, b) - expected).abs();
            assert!(error <= 2e-14_f64.max(1e-15 * expected.abs()), "{a}, {b}: off by {error}");
        }
    }

    #[test]
    fn ends_and_wrong_arguments_are_what_they_are_said_to_be() {
        assert_eq!((regularised_beta(2.0, 3.0, 0.0), regularised_beta(2.0, 3.0, 1.0)), (0.0, 1.0));
        for (a, b, x) in [(0.0, 1.0, 0.5), (1.0, f64::INFINITY, 0.5), (1.0, 1.0, 1.5), (1.0, 1.0, f64::NAN)] {
            assert!(regularised_beta(a, b, x).is_nan());
        }
    }
}
