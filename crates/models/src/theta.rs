//! The dynamic optimised theta model (DOTM).
//!
//! With the level `l`, the intercept `a[t]` and slope `b[t]` of the least-squares line through the first `t` values, and
//! omega = 1 - 1/theta,
//!
//! ```text
//! mean[t] = l[t-1] + omega · ( (1-alpha)^(t-1) · a[t-1] + (1 - (1-alpha)^t) / alpha · b[t-1] )
//! y[t]    = mean[t] + e[t]
//! l[t]    = alpha·y[t] + (1-alpha)·l[t-1]
//! ```
//!
//! Forecasts beyond the first step run the same recursions on their own means. alpha is in [0.1, 0.99], theta in
//! [1, infinity); squared errors count from the third step on.
//!
//! Source: Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler, Models for optimising the theta method and their
//! relationship to state space models, International Journal of Forecasting 32 (2016), 1151-1161.
//!
//! Differences from the source:
//!
//! - Given alpha, the errors are linear in `l[0]` and omega, so these two come from a linear system and only alpha
//!   is searched: the optimum is that of the joint search, for a few tens of passes over the series.
//! - The season is taken out by `adjustment.rs`, in logarithms where the series allows, with more weight on recent
//!   cycles, and for several season lengths at once; the significance test is that of the theta method.
//! - The variance `h` steps ahead is that of the smoothed level, `s²·(1 + (h-1)·alpha²)`, rather than simulated.

use tabcast_statistics::minimize_scalar;

use crate::adjustment::Adjustment;
use crate::{Fit, Forecast, Model, Series, Shape, Unfit};

/// The bounds of the smoothing parameter, as in the paper.
const ALPHA: (f64, f64) = (0.1, 0.99);
/// The initial level drops out of the errors as alpha nears 1; this much of its unit holds it near half the first value.
const LEVEL_RIDGE: f64 = 1e-6;
/// Errors count from this step on: the first ones only show how the recursion starts.
const FIRST_ERROR: usize = 2;

/// The registry entry.
pub(crate) struct DynamicOptimisedTheta;

impl Model for DynamicOptimisedTheta {
    fn name(&self) -> &'static str {
        "dotm"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        if series.len() < 6 {
            return Err(Unfit { reason: "the theta model needs six values" });
        }
        let (adjustment, values) = Adjustment::remove(series.values, &series.usable_periods(3));
        let lines = Lines::through(&values);
        let objective = |alpha: f64| lines.solve(&values, alpha).sum_of_squares;
        // The sum of squares may have two valleys: a coarse grid finds the right one.
        let grid = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.99];
        let start = (0..grid.len())
            .min_by(|&a, &b| objective(grid[a]).total_cmp(&objective(grid[b])))
            .unwrap_or_default();
        let (low, high) = (grid[start.saturating_sub(1)], grid[(start + 1).min(grid.len() - 1)]);
        let (between, value) = minimize_scalar(objective, low, high, 1e-4, 25);
        let alpha = if value <= objective(grid[start]) { between } else { grid[start] };
        let alpha = alpha.clamp(ALPHA.0, ALPHA.1);
        let solution = lines.solve(&values, alpha);
        let mut fitted = lines.fitted(&values, alpha, &solution);
        let end = State::at_end(&values, alpha, &solution);
        adjustment.restore_fitted(&mut fitted);
        let degrees = (values.len() - FIRST_ERROR).saturating_sub(3).max(1);
        Ok(Box::new(ThetaFit {
            adjustment,
            alpha,
            omega: solution.omega,
            variance: solution.sum_of_squares / degrees as f64,
            end,
            fitted,
        }))
    }
}

/// The running least-squares line through the first `t` values: `intercept + slope · i` for i = 1 to t.
struct Lines {
    /// Entry `t` belongs to the first `t` values.
    intercept: Vec<f64>,
    slope: Vec<f64>,
}

/// The best initial level and line weight for one smoothing parameter.
#[derive(Clone, Copy)]
struct Solution {
    level: f64,
    omega: f64,
    sum_of_squares: f64,
}

impl Lines {
    fn through(values: &[f64]) -> Self {
        let (mut intercept, mut slope) = (vec![0.0; values.len()], vec![0.0; values.len()]);
        let mut line = Line::default();
        for (t, &value) in values.iter().enumerate() {
            intercept[t] = line.intercept;
            slope[t] = line.slope;
            line.extend(value);
        }
        Self { intercept, slope }
    }

    /// Given alpha, the one-step error is linear in the initial level and in omega = 1 - 1/theta, so both come
    /// from a two by two system with omega held between 0 (theta = 1) and 1 (theta without bound).
    fn solve(&self, values: &[f64], alpha: f64) -> Solution {
        let anchor = 0.5 * values[0];
        let (mut level, mut decay) = (anchor, 1.0);
        let (mut ee, mut ep, mut ed, mut pp, mut pd, mut dd) = (0.0, 0.0, 0.0, LEVEL_RIDGE, 0.0, 0.0);
        let lines = self.intercept.iter().zip(&self.slope);
        for (t, (&value, (intercept, slope))) in values.iter().zip(lines).enumerate() {
            let next_decay = decay * (1.0 - alpha);
            if t >= FIRST_ERROR {
                let error = value - level;
                let line = decay * intercept + (1.0 - next_decay) / alpha * slope;
                ee += error * error;
                ep += error * decay;
                ed += error * line;
                pp += decay * decay;
                pd += decay * line;
                dd += line * line;
            }
            level += alpha * (value - level);
            decay = next_decay;
        }
        let determinant = pp * dd - pd * pd;
        let free = (pp * ed - pd * ep) / determinant;
        let omega =
            if determinant > pp * dd * 1e-12 && free.is_finite() { free.clamp(0.0, 1.0) } else { 0.0 };
        let change = (ep - omega * pd) / pp;
        let sum_of_squares = ee - 2.0 * (change * ep + omega * ed)
            + change * change * pp
            + 2.0 * change * omega * pd
            + omega * omega * dd;
        Solution { level: anchor + change, omega, sum_of_squares: sum_of_squares.max(0.0) }
    }

    fn fitted(&self, values: &[f64], alpha: f64, solution: &Solution) -> Vec<f64> {
        let (mut level, mut decay) = (solution.level, 1.0);
        let lines = self.intercept.iter().zip(&self.slope);
        values
            .iter()
            .zip(lines)
            .map(|(&value, (intercept, slope))| {
                let next_decay = decay * (1.0 - alpha);
                let line = decay * intercept + (1.0 - next_decay) / alpha * slope;
                let mean = level + solution.omega * line;
                level += alpha * (value - level);
                decay = next_decay;
                mean
            })
            .collect()
    }
}

/// A least-squares line that grows by one value at a time, in the recursive form of the paper's equations.
#[derive(Clone, Copy, Default)]
struct Line {
    count: f64,
    mean: f64,
    intercept: f64,
    slope: f64,
}

impl Line {
    fn extend(&mut self, value: f64) {
        self.count += 1.0;
        let t = self.count;
        if t > 1.0 {
            self.slope = ((t - 2.0) * self.slope + 6.0 / t * (value - self.mean)) / (t + 1.0);
        }
        self.mean += (value - self.mean) / t;
        self.intercept = self.mean - 0.5 * (t + 1.0) * self.slope;
    }
}

/// Where the recursion stands after the last value.
#[derive(Clone, Copy)]
struct State {
    level: f64,
    decay: f64,
    line: Line,
}

impl State {
    fn at_end(values: &[f64], alpha: f64, solution: &Solution) -> Self {
        let mut state = Self { level: solution.level, decay: 1.0, line: Line::default() };
        for &value in values {
            state.extend(value, alpha);
        }
        state
    }

    fn extend(&mut self, value: f64, alpha: f64) {
        self.level += alpha * (value - self.level);
        self.decay *= 1.0 - alpha;
        self.line.extend(value);
    }

    fn mean(&self, alpha: f64, omega: f64) -> f64 {
        let reach = (1.0 - self.decay * (1.0 - alpha)) / alpha;
        self.level + omega * (self.decay * self.line.intercept + reach * self.line.slope)
    }
}

struct ThetaFit {
    adjustment: Adjustment,
    alpha: f64,
    omega: f64,
    variance: f64,
    end: State,
    fitted: Vec<f64>,
}

impl Fit for ThetaFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        let mut state = self.end;
        let mut forecast = Forecast::with_capacity(horizon, Shape::Normal);
        for step in 0..horizon {
            let mean = state.mean(self.alpha, self.omega);
            forecast.mean.push(mean);
            forecast.sd.push((self.variance * (1.0 + step as f64 * self.alpha * self.alpha)).sqrt());
            state.extend(mean, self.alpha);
        }
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

    /// A line of 40 values with numbers on it that look random but are the same everywhere.
    fn line() -> Vec<f64> {
        let noise = |t: usize| ((t * t * 37 + t * 11) % 101) as f64 / 101.0 - 0.5;
        (0..40).map(|t| 50.0 + 0.4 * t as f64 + 4.0 * noise(t)).collect()
    }

    /// statsforecast 2.1.1, `DynamicOptimizedTheta(season_length=1)`: its parameters and its forecasts.
    #[test]
    fn recursion_agrees_with_statsforecast_at_its_parameters() {
        let (alpha, omega) = (0.150_734_039_980_506_08, 1.0 - 1.0 / 18.531_549_569_941_156);
        let solution = Solution { level: 0.263_537_270_822_222_67, omega, sum_of_squares: 0.0 };
        let mut state = State::at_end(&line(), alpha, &solution);
        let expected = [65.648_972_842_586, 66.018_903_665_721, 66.388_230_016_888, 66.756_967_100_063];
        for expected in expected {
            let mean = state.mean(alpha, omega);
            assert!((mean - expected).abs() < 1e-9, "{mean} instead of {expected}");
            state.extend(mean, alpha);
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

    /// The sum of squares of the linear system is that of the recursion itself.
    #[test]
    fn linear_solution_is_the_recursion() {
        let values = line();
        let lines = Lines::through(&values);
        for alpha in [0.1, 0.3, 0.6, 0.9] {
            let solution = lines.solve(&values, alpha);
            let mut state = State { level: solution.level, decay: 1.0, line: Line::default() };
            let mut squares = 0.0;
            for (t, &value) in values.iter().enumerate() {
                let error = value - state.mean(alpha, solution.omega);
                squares += if t >= FIRST_ERROR { error * error } else { 0.0 };
                state.extend(value, alpha);
            }
            let ridge = LEVEL_RIDGE * (solution.level - 0.5 * values[0]).powi(2);
            let difference = (squares + ridge - solution.sum_of_squares).abs();
            assert!(difference < 1e-9 * squares, "{alpha}: {squares} and {}", solution.sum_of_squares);
        }
    }
}
