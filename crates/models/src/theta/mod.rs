//! The family of theta models.
//!
//! With the level `l`, the intercept `a[t]` and slope `b[t]` of the least-squares line through the first `t` values,
//! and omega = 1 - 1/theta,
//!
//! ```text
//! mean[t] = l[t-1] + omega · ( (1-alpha)^(t-1) · a[t-1] + (1 - (1-alpha)^t) / alpha · b[t-1] )
//! y[t]    = mean[t] + e[t]
//! l[t]    = alpha·y[t] + (1-alpha)·l[t-1]
//! ```
//!
//! is the dynamic model. The standard model has the line through all values in place of `a[t-1]` and `b[t-1]`.
//! Forecasts beyond the first step run the same recursions on their own means. alpha is in [0.1, 0.99], theta in [1,
//! infinity); squared errors count from the third step on.
//!
//! - `dotm`: the dynamic optimised model;
//! - `auto_theta`: the dynamic or the standard model, whichever describes the series better (`automatic.rs`);
//! - `theta_boxcox`: the dynamic model on transformed values (`box_cox.rs`).
//!
//! Source: Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler, Models for optimising the theta method and their
//! relationship to state space models, International Journal of Forecasting 32 (2016), 1151-1161.
//!
//! Differences from the source:
//!
//! - Given alpha, the errors are linear in `l[0]` and omega, so these two come from a linear system and only alpha is
//!   searched. The optimum is that of the joint search, at the cost of a few dozen passes over the series.
//! - `adjustment.rs` removes the season, in logarithms if the series allows, with more weight on recent cycles, and for
//!   several season lengths at once; the significance test is that of the theta method.
//! - The variance `h` steps ahead is the sum of squared responses to a unit shock rather than simulated.

mod automatic;
mod box_cox;
mod fitted;
pub(crate) mod likelihood;
mod line;
mod recursion;

use self::fitted::Path;
use self::line::Lines;
use self::recursion::{Form, Theta};
use crate::adjustment::Adjustment;
use crate::{Fit, Forecast, Model, Series, Unfit};

pub(crate) use self::automatic::AutomaticTheta;
pub(crate) use self::box_cox::BoxCoxTheta;

/// The dynamic optimised model.
const DYNAMIC_OPTIMISED: Form = Form { dynamic: true, pull: 0.0 };

const TOO_SHORT: Unfit = Unfit { reason: "the theta model needs six values" };
const FEWEST_VALUES: usize = 6;

/// The registry entry of the dynamic optimised model.
pub(crate) struct DynamicOptimisedTheta;

impl Model for DynamicOptimisedTheta {
    fn name(&self) -> &'static str {
        "dotm"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        if series.len() < FEWEST_VALUES {
            return Err(TOO_SHORT);
        }
        let (adjustment, values) = Adjustment::remove(series.values, &series.usable_periods(3));
        let lines = Lines::of(&values, true);
        let theta = Theta::estimate(&values, DYNAMIC_OPTIMISED, &lines);
        Ok(Box::new(ThetaFit::new(theta, &values, &lines, adjustment)))
    }
}

/// A theta model of a seasonally adjusted series.
struct ThetaFit {
    adjustment: Adjustment,
    path: Path,
    fitted: Vec<f64>,
}

impl ThetaFit {
    fn new(theta: Theta, values: &[f64], lines: &Lines, adjustment: Adjustment) -> Self {
        let mut fitted = theta.fitted(values, lines);
        adjustment.restore_fitted(&mut fitted);
        Self { adjustment, path: Path::new(theta, values), fitted }
    }
}

impl Fit for ThetaFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        let mut forecast = self.path.forecast(horizon);
        self.adjustment.restore(&mut forecast);
        forecast
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theta::recursion::{FIRST_ERROR, Solution};

    /// A line of 40 values with pseudo-random numbers added.
    fn line() -> Vec<f64> {
        let noise = |t: usize| ((t * t * 37 + t * 11) % 101) as f64 / 101.0 - 0.5;
        (0..40).map(|t| 50.0 + 0.4 * t as f64 + 4.0 * noise(t)).collect()
    }

    /// statsforecast 2.1.1, `DynamicOptimizedTheta(season_length=1)`: its parameters, fitted values and forecasts.
    #[test]
    fn recursion_agrees_with_statsforecast_at_its_parameters() {
        let (alpha, omega) = (0.150_734_039_980_506_08, 1.0 - 1.0 / 18.531_549_569_941_156);
        let solution = Solution { level: 0.263_537_270_822_222_67, omega, sum_of_squares: 0.0 };
        let theta = Theta { form: DYNAMIC_OPTIMISED, alpha, solution };
        let fitted = theta.fitted(&line(), &Lines::of(&line(), true));
        let expected = [
            (2, 50.694_268_696_774_074),
            (3, 51.800_568_077_955_45),
            (10, 54.261_000_090_429_28),
            (25, 60.098_691_065_736_29),
            (39, 65.257_382_691_711_23),
        ];
        for (step, expected) in expected {
            assert!((fitted[step] - expected).abs() < 1e-9, "{} instead of {expected}", fitted[step]);
        }
        let mut state = theta.end(&line());
        let expected = [65.648_972_842_586, 66.018_903_665_721, 66.388_230_016_888, 66.756_967_100_063];
        for expected in expected {
            let mean = state.mean(&theta);
            assert!((mean - expected).abs() < 1e-9, "{mean} instead of {expected}");
            state.extend(&theta, mean);
        }
    }

    /// statsforecast 2.1.1, `OptimizedTheta(season_length=1)`: its parameters and its forecasts.
    #[test]
    fn standard_recursion_agrees_with_statsforecast_at_its_parameters() {
        let (alpha, omega) = (0.100_567_226_017_891_42, 1.0 - 1.0 / 20.410_303_560_397_757);
        let solution = Solution { level: 2.913_127_938_126_246_3, omega, sum_of_squares: 0.0 };
        let theta = Theta { form: Form { dynamic: false, pull: 0.0 }, alpha, solution };
        let found = Path::new(theta, &line()).forecast(4).mean;
        let expected =
            [65.646_525_823_426_39, 66.023_281_649_475_5, 66.400_037_475_524_63, 66.776_793_301_573_75];
        for (mean, expected) in found.iter().zip(expected) {
            assert!((mean - expected).abs() < 1e-9, "{mean} instead of {expected}");
        }
    }

    /// The basis of the variance: how far the forecasts move if the next value is one unit above its forecast.
    #[test]
    fn variance_is_the_sum_of_squared_responses() {
        let values = line();
        let theta = Theta::estimate(&values, DYNAMIC_OPTIMISED, &Lines::of(&values, true));
        let before = Path::new(theta, &values).forecast(4);
        let mut sum = 1.0;
        for steps in 1..4 {
            let mut longer = values.clone();
            longer.push(before.mean[0] + 1.0);
            let after = Path::new(theta, &longer).forecast(steps);
            sum += (after.mean[steps - 1] - before.mean[steps]).powi(2);
            let expected = before.sd[0] * sum.sqrt();
            assert!((before.sd[steps] - expected).abs() < 1e-9, "{:?}", before.sd);
        }
    }

    /// The same recursion minimised over all three parameters by Nelder and Mead from 18 starts (scipy): a sum of
    /// squares of 43.883288, where statsforecast stops at 44.513037.
    #[test]
    fn search_finds_the_joint_optimum() {
        let values = line();
        let fit = DynamicOptimisedTheta.fit(&Series::without_season(&values)).expect("long enough");
        let squares: f64 =
            values[2..].iter().zip(&fit.fitted()[2..]).map(|(y, mean)| (y - mean).powi(2)).sum();
        assert!((squares - 43.883_288).abs() < 1e-3, "{squares}");
        assert!((fit.forecast(1).mean[0] - 65.770_057).abs() < 1e-3);
    }

    /// The sum of squares from the linear system equals that of the recursion.
    #[test]
    fn linear_solution_is_the_recursion() {
        let values = line();
        for (dynamic, pull) in [(false, 0.0), (false, 3.0), (true, 0.0), (true, 3.0)] {
            let lines = Lines::of(&values, dynamic);
            let theta = Theta::estimate(&values, Form { dynamic, pull }, &lines);
            let fitted = theta.fitted(&values, &lines);
            let errors = values.iter().zip(&fitted).skip(FIRST_ERROR).map(|(value, mean)| value - mean);
            let squares: f64 = errors.map(|error| error * error).sum();
            let difference = (squares - theta.solution.sum_of_squares).abs();
            assert!(difference < 1e-4 * squares, "{theta:?}: {squares}");
            let last = theta.end(&values[..39]).mean(&theta);
            assert!(!dynamic || (last - fitted[39]).abs() < 1e-10, "{last} and {}", fitted[39]);
        }
    }
}
