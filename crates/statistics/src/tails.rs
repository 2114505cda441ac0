//! Tail probabilities of the distributions that tests and intervals use.

use crate::beta::{ln_beta, regularised_beta_of};
use crate::gamma::regularised_gamma_upper;
use crate::normal_quantile;

/// The probability that a standard normal variable is above `z`.
///
/// Source: DLMF 7.11.2, by the incomplete gamma function; exact in the far tail too.
pub fn normal_upper_tail(z: f64) -> f64 {
    let beyond = 0.5 * regularised_gamma_upper(0.5, 0.5 * z * z);
    if z < 0.0 { 1.0 - beyond } else { beyond }
}

/// The probability that a chi-square variable with `degrees` of freedom is above `x`.
///
/// NaN unless `degrees` is positive and finite and `x` is not negative.
pub fn chi_square_upper_tail(x: f64, degrees: f64) -> f64 {
    regularised_gamma_upper(0.5 * degrees, 0.5 * x)
}

/// The probability that the absolute value of Student's t with `degrees` of freedom is above that of `t`.
///
/// 0 for an infinite `t` and if its square overflows; NaN unless `degrees` is positive and finite.
///
/// Source: Abramowitz and Stegun 26.7.1 with 26.5.27.
pub fn student_t_two_sided(t: f64, degrees: f64) -> f64 {
    f_upper_tail(t * t, 1.0, degrees)
}

/// The probability that Fisher's F with `upper` and `lower` degrees of freedom is above `f`.
///
/// 0 for an infinite `f`; NaN unless the degrees are positive and finite and `f` is not negative.
///
/// Source: Abramowitz and Stegun 26.6.2.
pub fn f_upper_tail(f: f64, upper: f64, lower: f64) -> f64 {
    let explained = upper * f;
    if explained == f64::INFINITY && lower > 0.0 && lower.is_finite() {
        return 0.0;
    }
    let total = lower + explained;
    regularised_beta_of(0.5 * lower, 0.5 * upper, lower / total, explained / total)
}

/// The quantile function of Student's t with `degrees` of freedom at `level`.
///
/// Minus infinity at 0, plus infinity at 1, NaN outside [0, 1] and unless `degrees` is positive and finite.
///
/// Source: Newton's method on the logarithms of the tail and of its bound, which power laws and normal tails make
/// nearly straight or concave; started at the normal quantile.
pub fn student_t_quantile(level: f64, degrees: f64) -> f64 {
    let both_tails = 2.0 * level.min(1.0 - level);
    if level == 0.5 && degrees > 0.0 && degrees.is_finite() {
        return 0.0;
    }
    let mut t = normal_quantile(level).abs();
    if !(both_tails > 0.0 && degrees > 0.0 && degrees.is_finite()) {
        let is_end = both_tails == 0.0 && degrees > 0.0 && degrees.is_finite();
        return if is_end { f64::INFINITY.copysign(level - 0.5) } else { f64::NAN };
    }
    let scale = -ln_beta(0.5 * degrees, 0.5) - 0.5 * degrees.ln();
    for _ in 0..100 {
        let tail = student_t_two_sided(t, degrees);
        let density = (scale - 0.5 * (degrees + 1.0) * (t * t / degrees).ln_1p()).exp();
        let step = (tail / both_tails).ln() * tail / (2.0 * density * t);
        t *= step.exp();
        if step.abs() < 1e-15 {
            break;
        }
    }
    t.copysign(level - 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) -> bool {
        (found - expected).abs() <= tolerance * expected.abs()
    }

    /// Percentage points as the tables print them: Abramowitz and Stegun, tables 26.7 to 26.10.
    #[test]
    fn matches_the_printed_tables() {
        assert!((normal_upper_tail(1.96) - 0.024_998).abs() < 5e-7);
        assert!((chi_square_upper_tail(3.841_46, 1.0) - 0.05).abs() < 1e-6);
        assert!((chi_square_upper_tail(18.307_0, 10.0) - 0.05).abs() < 1e-6);
        assert!((student_t_two_sided(2.228, 10.0) - 0.05).abs() < 1e-4);
        assert!((f_upper_tail(3.33, 5.0, 10.0) - 0.05).abs() < 2e-4);
        assert!((student_t_quantile(0.975, 1.0) - 12.706).abs() < 5e-4);
        assert!((student_t_quantile(0.995, 30.0) - 2.750).abs() < 5e-4);
    }

    /// Values of mpmath 1.4.1 with 40 digits.
    #[test]
    fn matches_reference_values() {
        for (z, expected) in [
            (-3.0, 0.998_650_101_968_369_9),
            (-0.1, 0.539_827_837_277_029),
            (0.0, 0.5),
            (0.5, 0.308_537_538_725_986_9),
            (1.96, 0.024_997_895_148_220_435),
            (6.0, 9.865_876_450_376_98e-10),
            (20.0, 2.753_624_118_606_233_7e-89),
        ] {
            assert!(close(normal_upper_tail(z), expected, 1e-13), "normal {z}");
        }
        for (t, degrees, expected) in [
            (1e-09, 5.0, 0.999_999_999_240_786_6),
            (0.5, 1.0, 0.704_832_764_699_133_5),
            (2.0, 3.0, 0.139_325_968_558_843_2),
            (2.5, 48.0, 0.015_889_690_934_237_553),
            (12.0, 48.0, 4.669_137_132_173_707e-16),
            (40.0, 98.0, 1.663_387_720_368_578e-62),
            (1.5, 9_998.0, 0.133_645_978_138_614_15),
            (30.0, 9_998.0, 2.051_736_458_383_834_4e-189),
        ] {
            assert!(close(student_t_two_sided(t, degrees), expected, 1e-12), "t {t} {degrees}");
            assert_eq!(student_t_two_sided(-t, degrees), student_t_two_sided(t, degrees));
        }
        for (f, upper, lower, expected) in [
            (0.2, 3.0, 60.0, 0.895_984_302_167_849_9),
            (1.0, 4.0, 45.0, 0.417_530_763_391_047_94),
            (5.0, 9.0, 490.0, 1.853_710_144_092_131_2e-06),
            (20.0, 2.0, 97.0, 5.339_266_578_570_079_6e-08),
            (1.3, 50.0, 9_949.0, 0.076_022_823_540_379_69),
        ] {
            assert!(close(f_upper_tail(f, upper, lower), expected, 2e-12), "F {f} {upper} {lower}");
        }
        for (x, degrees, expected) in [
            (0.5, 1.0, 0.479_500_122_186_953_5),
            (10.0, 4.0, 0.040_427_681_994_512_805),
            (120.0, 81.0, 0.003_195_142_688_024_667),
            (900.0, 6.0, 3.756_716_019_482_224_6e-191),
            (1_000.0, 961.0, 0.185_932_422_094_302_94),
        ] {
            assert!(close(chi_square_upper_tail(x, degrees), expected, 1e-12), "chi-square {x} {degrees}");
        }
    }

    /// Values of `scipy.stats.t.ppf`, scipy 1.17.1.
    #[test]
    fn the_quantile_matches_reference_values() {
        for (level, degrees, expected) in [
            (0.975, 2.0, 4.302_652_729_749_462),
            (0.975, 18.0, 2.100_922_040_241_038_2),
            (0.975, 54.0, 2.004_879_288_188_056_4),
            (0.9995, 54.0, 3.480_016_050_870_312_4),
            (0.6, 3.0, 0.276_670_662_332_689_8),
            (0.025, 18.0, -2.100_922_040_241_038_7),
            (1e-06, 4.0, -41.577_854_150_450_975),
            (0.999_999, 400.0, 4.824_434_071_457_103),
        ] {
            assert!(close(student_t_quantile(level, degrees), expected, 1e-11), "{level} {degrees}");
        }
    }

    #[test]
    fn ends_and_wrong_arguments_are_what_they_are_said_to_be() {
        assert_eq!((student_t_two_sided(f64::INFINITY, 3.0), student_t_two_sided(1e200, 3.0)), (0.0, 0.0));
        assert_eq!((student_t_two_sided(0.0, 3.0), f_upper_tail(0.0, 2.0, 3.0)), (1.0, 1.0));
        assert_eq!((f_upper_tail(f64::INFINITY, 2.0, 3.0), normal_upper_tail(f64::INFINITY)), (0.0, 0.0));
        assert_eq!((student_t_quantile(0.5, 3.0), student_t_quantile(0.0, 3.0)), (0.0, f64::NEG_INFINITY));
        assert_eq!(student_t_quantile(1.0, 3.0), f64::INFINITY);
        assert!(student_t_two_sided(1.0, 0.0).is_nan() && student_t_two_sided(f64::INFINITY, 0.0).is_nan());
        assert!(f_upper_tail(-1.0, 1.0, 1.0).is_nan() && chi_square_upper_tail(-1.0, 1.0).is_nan());
        assert!(student_t_quantile(1.5, 3.0).is_nan() && student_t_quantile(0.5, -3.0).is_nan());
        assert!(student_t_quantile(0.0, f64::NAN).is_nan() && student_t_two_sided(f64::NAN, 3.0).is_nan());
    }
}
