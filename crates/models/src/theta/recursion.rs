//! The recursion that all theta models share, and the search for its parameters.

use tabcast_statistics::minimize_scalar;

use super::line::{Line, Lines};

/// The bounds of the smoothing parameter, as in the paper.
pub(super) const ALPHA: (f64, f64) = (0.1, 0.99);
/// Errors count from this step on; the first ones only show how the recursion starts.
pub(super) const FIRST_ERROR: usize = 2;

/// A model of the family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Form {
    /// Whether the line is refitted with each value.
    pub(super) dynamic: bool,
    /// Weight of the prior on theta = 2, in average observations; zero for maximum likelihood.
    pub(super) pull: f64,
}

/// A form with its estimated parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Theta {
    pub(super) form: Form,
    pub(super) alpha: f64,
    pub(super) solution: Solution,
}

/// The best initial level and line weight for one smoothing parameter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solution {
    pub(super) level: f64,
    pub(super) omega: f64,
    pub(super) sum_of_squares: f64,
}

impl Theta {
    /// Searches alpha and solves for everything else.
    pub(super) fn estimate(values: &[f64], form: Form, lines: &Lines) -> Self {
        let objective = |alpha: f64| solve(values, lines, alpha, form).sum_of_squares;
        // The sum of squares may have two valleys; a coarse grid finds the right one.
        let grid = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.99];
        let heights = grid.map(objective);
        let start = (0..grid.len()).min_by(|&a, &b| heights[a].total_cmp(&heights[b])).unwrap_or_default();
        let (low, high) = (grid[start.saturating_sub(1)], grid[(start + 1).min(grid.len() - 1)]);
        let (between, value) = minimize_scalar(objective, low, high, 1e-4, 25);
        let alpha = if value <= heights[start] { between } else { grid[start] };
        let alpha = alpha.clamp(ALPHA.0, ALPHA.1);
        Self { form, alpha, solution: solve(values, lines, alpha, form) }
    }

    /// The variance of one-step errors.
    pub(super) fn variance(&self, count: usize) -> f64 {
        let degrees = (count - FIRST_ERROR).saturating_sub(3).max(1);
        self.solution.sum_of_squares / degrees as f64
    }

    /// The one-step forecast of every value; NaN for the first ones, whose errors do not count. With alpha near 1 the
    /// initial level takes whatever value removes the first counted error, so these forecasts are far from the series.
    pub(super) fn fitted(&self, values: &[f64], lines: &Lines) -> Vec<f64> {
        let alpha = self.alpha;
        let (mut level, mut decay) = (self.solution.level, 1.0);
        values
            .iter()
            .zip(lines.iter())
            .enumerate()
            .map(|(t, (&value, (intercept, slope)))| {
                let next_decay = decay * (1.0 - alpha);
                let line = decay * intercept + (1.0 - next_decay) / alpha * slope;
                let mean = level + self.solution.omega * line;
                level += alpha * (value - level);
                decay = next_decay;
                if t < FIRST_ERROR { f64::NAN } else { mean }
            })
            .collect()
    }

    /// Where the recursion stands after the last value.
    pub(super) fn end(&self, values: &[f64]) -> State {
        let line = if self.form.dynamic { Line::default() } else { Line::through(values) };
        let mut state = State { level: self.solution.level, decay: 1.0, line };
        for &value in values {
            state.extend(self, value);
        }
        state
    }
}

/// Given alpha, the one-step error is linear in the initial level and in omega = 1 - 1/theta, so both come from a
/// two-by-two system. Omega is clamped between 0 (theta = 1) and 1 (theta unbounded).
fn solve(values: &[f64], lines: &Lines, alpha: f64, form: Form) -> Solution {
    let (mut level, mut decay) = (0.0, 1.0);
    // The highest alpha leaves 1e-4 of the initial level in the first counted error, so `pp` is never zero.
    let (mut ee, mut ep, mut ed, mut pp, mut pd, mut dd) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (t, (&value, (intercept, slope))) in values.iter().zip(lines.iter()).enumerate() {
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
    let pull = form.pull * dd / values.len() as f64;
    let determinant = pp * (dd + pull) - pd * pd;
    let free = (pp * (ed + 0.5 * pull) - pd * ep) / determinant;
    let omega =
        if determinant > pp * (dd + pull) * 1e-12 && free.is_finite() { free.clamp(0.0, 1.0) } else { 0.0 };
    let initial = (ep - omega * pd) / pp;
    let sum_of_squares = ee - 2.0 * (initial * ep + omega * ed)
        + initial * initial * pp
        + 2.0 * initial * omega * pd
        + omega * omega * dd;
    Solution { level: initial, omega, sum_of_squares: sum_of_squares.max(0.0) }
}

/// The state of the recursion between two steps.
#[derive(Clone, Copy)]
pub(super) struct State {
    level: f64,
    decay: f64,
    line: Line,
}

impl State {
    pub(super) fn extend(&mut self, theta: &Theta, value: f64) {
        self.level += theta.alpha * (value - self.level);
        self.decay *= 1.0 - theta.alpha;
        if theta.form.dynamic {
            self.line.extend(value);
        }
    }

    /// The forecast of the next step.
    pub(super) fn mean(&self, theta: &Theta) -> f64 {
        let reach = (1.0 - self.decay * (1.0 - theta.alpha)) / theta.alpha;
        self.level + theta.solution.omega * (self.decay * self.line.intercept + reach * self.line.slope)
    }

    /// The state of a series of zeros of the same length.
    pub(super) fn of_zeros(&self) -> Self {
        Self { level: 0.0, decay: self.decay, line: Line::flat(self.line.count) }
    }
}
