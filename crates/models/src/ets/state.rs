//! The states of exponential smoothing: their initial values, and their update by an observation.

use tabcast_statistics::moving_average;

use super::form::{Form, Season, Smoothing};

/// Level, slope and seasonal states; entry `t % period` of the season belongs to step `t`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    pub(crate) level: f64,
    pub(crate) slope: f64,
    pub(crate) season: Vec<f64>,
}

/// A multiplicative seasonal state starts at least this high.
const LOWEST_FACTOR: f64 = 0.01;

impl State {
    /// Starting states from the first part of the series: the season from a classical decomposition of the whole
    /// series, level and slope from a line through the first adjusted values.
    pub(crate) fn guess(values: &[f64], form: Form, period: usize) -> Self {
        let season = match form.season {
            Season::None => Vec::new(),
            Season::Additive => pattern(values, period, |value, trend| value - trend, 0.0),
            Season::Multiplicative => pattern(values, period, |value, trend| value / trend, 1.0),
        };
        let first = values.len().min((2 * period).max(10));
        let adjusted = |step: usize| match form.season {
            Season::None => values[step],
            Season::Additive => values[step] - season[step % period],
            Season::Multiplicative => values[step] / season[step % period],
        };
        let count = first as f64;
        let centre = 0.5 * (count - 1.0);
        let mean = (0..first).map(adjusted).sum::<f64>() / count;
        if !form.has_trend() {
            return Self { level: mean, slope: 0.0, season };
        }
        let (mut with_time, mut time) = (0.0, 0.0);
        for step in 0..first {
            let from_centre = step as f64 - centre;
            with_time += from_centre * (adjusted(step) - mean);
            time += from_centre * from_centre;
        }
        let slope = with_time / time;
        // The line at one step before the first value.
        Self { level: mean - slope * (centre + 1.0), slope, season }
    }

    /// The forecast of the next step, which is step `step` of the series.
    pub(crate) fn forecast(&self, form: Form, smoothing: &Smoothing, step: usize) -> f64 {
        let trend = self.level + smoothing.phi * self.slope;
        match form.season {
            Season::None => trend,
            Season::Additive => trend + self.season[step % self.season.len()],
            Season::Multiplicative => trend * self.season[step % self.season.len()],
        }
    }

    /// Updates the states with the value of step `step`.
    pub(crate) fn observe(&mut self, form: Form, smoothing: &Smoothing, step: usize, value: f64) {
        let error = value - self.forecast(form, smoothing, step);
        let faded = smoothing.phi * self.slope;
        let trend = self.level + faded;
        let period = self.season.len();
        // With a multiplicative season the level moves by the error in units of the adjusted series.
        let move_by = match form.season {
            Season::Multiplicative => error / self.season[step % period],
            Season::None | Season::Additive => error,
        };
        self.level = trend + smoothing.alpha * move_by;
        self.slope = faded + smoothing.beta * move_by;
        match form.season {
            Season::None => {}
            Season::Additive => self.season[step % period] += smoothing.gamma * error,
            Season::Multiplicative => self.season[step % period] += smoothing.gamma * error / trend,
        }
    }
}

/// The mean deviation of each phase from a moving average, adjusted so that the mean over a period is `neutral`.
fn pattern(values: &[f64], period: usize, deviation: impl Fn(f64, f64) -> f64, neutral: f64) -> Vec<f64> {
    let half = period / 2;
    let trend = moving_average(values, period);
    let (mut pattern, mut counts) = (vec![0.0; period], vec![0.0; period]);
    for step in half..values.len() - half {
        pattern[step % period] += deviation(values[step], trend[step]);
        counts[step % period] += 1.0;
    }
    for (mean, count) in pattern.iter_mut().zip(counts) {
        *mean = if count > 0.0 { *mean / count } else { neutral };
    }
    let mean = pattern.iter().sum::<f64>() / period as f64;
    for value in &mut pattern {
        *value = if neutral == 0.0 { *value - mean } else { (*value / mean).max(LOWEST_FACTOR) };
    }
    pattern
}
