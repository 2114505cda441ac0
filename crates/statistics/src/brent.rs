//! Minimises a function of one variable.

/// The golden section, (3 - sqrt 5) / 2.
const GOLDEN: f64 = 0.381_966_011_250_105_1;

/// Minimises `f` on [`lower`, `upper`] and returns the best point found with its value.
///
/// `tolerance` is absolute, in units of the argument; at most `evaluations` calls are made. A value that is not finite
/// counts as worse than any other. If there are several local minima, it finds one of them.
///
/// Source: Brent, Algorithms for Minimization without Derivatives (1973), chapter 5, `localmin`.
pub fn minimize_scalar(
    mut f: impl FnMut(f64) -> f64,
    lower: f64,
    upper: f64,
    tolerance: f64,
    evaluations: usize,
) -> (f64, f64) {
    let mut at = |x: f64| {
        let value = f(x);
        if value.is_nan() { f64::INFINITY } else { value }
    };
    let (mut low, mut high) = (lower, upper);
    // `best`, `second` and `third` are the three lowest points so far, as (argument, value).
    let mut best = {
        let x = low + GOLDEN * (high - low);
        (x, at(x))
    };
    let (mut second, mut third) = (best, best);
    let (mut step, mut step_before_last) = (0.0_f64, 0.0_f64);
    for _ in 1..evaluations {
        let middle = f64::midpoint(low, high);
        if (best.0 - middle).abs() + 0.5 * (high - low) <= 2.0 * tolerance {
            break;
        }
        let parabola = parabolic_step(best, second, third).filter(|move_by| {
            let target = best.0 + move_by;
            move_by.abs() < 0.5 * step_before_last.abs() && target > low && target < high
        });
        step_before_last = step;
        step = if let Some(move_by) = parabola {
            let target = best.0 + move_by;
            // Never evaluate closer than twice the tolerance to an end.
            let near_an_end = target - low < 2.0 * tolerance || high - target < 2.0 * tolerance;
            if near_an_end { tolerance.copysign(middle - best.0) } else { move_by }
        } else {
            let side = if best.0 < middle { high } else { low } - best.0;
            step_before_last = side;
            GOLDEN * side
        };
        let x = best.0 + if step.abs() >= tolerance { step } else { tolerance.copysign(step) };
        let tried = (x, at(x));
        if tried.1 <= best.1 {
            if x < best.0 {
                high = best.0;
            } else {
                low = best.0;
            }
            (best, second, third) = (tried, best, second);
        } else {
            if x < best.0 {
                low = x;
            } else {
                high = x;
            }
            if tried.1 <= second.1 || second.0 == best.0 {
                (second, third) = (tried, second);
            } else if tried.1 <= third.1 || third.0 == best.0 || third.0 == second.0 {
                third = tried;
            }
        }
    }
    best
}

/// The step from `best` to the vertex of the parabola through the three points, if there is one.
fn parabolic_step(best: (f64, f64), second: (f64, f64), third: (f64, f64)) -> Option<f64> {
    let to_second = (best.0 - second.0) * (best.1 - third.1);
    let to_third = (best.0 - third.0) * (best.1 - second.1);
    let numerator = (best.0 - third.0) * to_third - (best.0 - second.0) * to_second;
    let denominator = 2.0 * (to_third - to_second);
    let step = -numerator / denominator;
    step.is_finite().then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_smooth_minima() {
        let (x, value) = minimize_scalar(|x| (x - 0.3).powi(2) + 1.0, 0.0, 1.0, 1e-8, 100);
        assert!((x - 0.3).abs() < 1e-7 && (value - 1.0).abs() < 1e-12, "{x} {value}");
        let mut calls = 0;
        let (x, _) = minimize_scalar(
            |x| {
                calls += 1;
                x.exp() - 3.0 * x
            },
            -2.0,
            5.0,
            1e-7,
            100,
        );
        assert!((x - 3.0_f64.ln()).abs() < 1e-6 && calls < 25, "{x} after {calls} calls");
    }

    #[test]
    fn runs_into_an_end_and_survives_values_that_are_not_numbers() {
        let (x, _) = minimize_scalar(|x| x, 2.0, 3.0, 1e-6, 200);
        assert!((x - 2.0).abs() < 1e-4, "{x}");
        let (x, value) = minimize_scalar(|x| if x < 0.5 { f64::NAN } else { x }, 0.0, 1.0, 1e-6, 200);
        assert!((x - 0.5).abs() < 1e-3 && value.is_finite(), "{x} {value}");
    }

    #[test]
    fn keeps_to_the_evaluation_limit() {
        let mut calls = 0;
        minimize_scalar(
            |x| {
                calls += 1;
                x.sin()
            },
            0.0,
            9.0,
            0.0,
            7,
        );
        assert_eq!(calls, 7);
    }
}
