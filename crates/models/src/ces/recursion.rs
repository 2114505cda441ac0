//! The recursions, computed together with their derivatives with respect to the parameters.

use super::form::{Form, Parameters};
use tabcast_statistics::moving_average;

/// A state in lane 0, then its derivatives with respect to the two parts of alpha and the one or two parts of beta.
type Lanes<const L: usize> = [f64; L];

/// A complex state.
type Pair<const L: usize> = [Lanes<L>; 2];

/// Level and season; entry `t % length` belongs to step `t`.
#[derive(Debug, Clone, Default)]
pub(crate) struct States<const L: usize> {
    pub(crate) level: Vec<Pair<L>>,
    pub(crate) season: Vec<Pair<L>>,
}

/// The direction of a pass through the series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

/// A level without a lag starts at the mean of this many values.
const FIRST: usize = 10;

/// The imaginary part of a state starts at this fraction of the real one.
const IMAGINARY_PART: f64 = 1.0 / 1.1;

impl States<1> {
    /// Rough states before the first value, to be refined by a pass forward and one back.
    pub(crate) fn rough(values: &[f64], form: Form, period: usize) -> Self {
        let pair = |value: f64| [[value], [value * IMAGINARY_PART]];
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        match form {
            Form::None => {
                let first = values.len().min(FIRST);
                Self { level: vec![pair(mean(&values[..first]))], season: Vec::new() }
            }
            Form::Simple => Self {
                level: values[..period].iter().map(|&value| pair(value)).collect(),
                season: Vec::new(),
            },
            Form::Partial | Form::Full => {
                let season = pattern(values, period).into_iter().map(pair).collect();
                Self { level: vec![pair(mean(&values[..period]))], season }
            }
        }
    }
}

/// The mean deviation of each phase from a moving average, shifted to sum to zero.
fn pattern(values: &[f64], period: usize) -> Vec<f64> {
    let half = period / 2;
    let trend = moving_average(values, period);
    let mut pattern = vec![0.0; period];
    let mut counts = vec![0.0_f64; period];
    for step in half..values.len() - half {
        pattern[step % period] += values[step] - trend[step];
        counts[step % period] += 1.0;
    }
    for (sum, count) in pattern.iter_mut().zip(counts) {
        *sum /= count.max(1.0);
    }
    let mean = pattern.iter().sum::<f64>() / period as f64;
    for value in &mut pattern {
        *value -= mean;
    }
    pattern
}

impl<const L: usize> States<L> {
    /// Copies states, which do not depend on the parameters.
    pub(crate) fn copy_from(&mut self, from: &States<1>) {
        let widen = |pair: &Pair<1>| {
            let mut wide = [[0.0; L]; 2];
            (wide[0][0], wide[1][0]) = (pair[0][0], pair[1][0]);
            wide
        };
        self.level.clear();
        self.level.extend(from.level.iter().map(widen));
        self.season.clear();
        self.season.extend(from.season.iter().map(widen));
    }

    /// Runs over the series from these states and leaves the last ones; calls `see` with each step and its error.
    pub(crate) fn pass(
        &mut self,
        values: &[f64],
        form: Form,
        parameters: &Parameters,
        direction: Direction,
        see: impl FnMut(usize, &Lanes<L>),
    ) {
        match form {
            Form::None => self.pass_through::<false, 0>(values, parameters, direction, see),
            Form::Simple => self.pass_through::<true, 0>(values, parameters, direction, see),
            Form::Partial => self.pass_through::<false, 1>(values, parameters, direction, see),
            Form::Full => self.pass_through::<false, 2>(values, parameters, direction, see),
        }
    }

    /// `LAGGED` levels refer to the previous cycle; a season has `PARTS` parts.
    fn pass_through<const LAGGED: bool, const PARTS: usize>(
        &mut self,
        values: &[f64],
        parameters: &Parameters,
        direction: Direction,
        mut see: impl FnMut(usize, &Lanes<L>),
    ) {
        let Self { level: levels, season } = self;
        let [a0, a1, b0, b1] = *parameters;
        let period = if LAGGED { levels.len() } else { season.len().max(1) };
        let forward = direction == Direction::Forward;
        let mut phase = if forward { 0 } else { (values.len() - 1) % period };
        let mut level = levels[0];
        for count in 0..values.len() {
            let step = if forward { count } else { values.len() - 1 - count };
            if LAGGED {
                level = levels[phase];
            }
            let mut error = [0.0; L];
            error[0] = values[step];
            for lane in 0..L {
                error[lane] -= level[0][lane];
                if PARTS > 0 {
                    error[lane] -= season[phase][0][lane];
                }
            }
            see(step, &error);
            level = moved(&level, &error, a0, a1, 1);
            if LAGGED {
                levels[phase] = level;
            }
            if PARTS == 1 {
                let state = &mut season[phase][0];
                for lane in 0..L {
                    state[lane] += b0 * error[lane];
                }
                if L > 3 {
                    state[3] += error[0];
                }
            }
            if PARTS == 2 {
                season[phase] = moved(&season[phase], &error, b0, b1, 3);
            }
            phase = match direction {
                Direction::Forward if phase + 1 == period => 0,
                Direction::Forward => phase + 1,
                Direction::Backward if phase == 0 => period - 1,
                Direction::Backward => phase - 1,
            };
        }
        if !LAGGED {
            levels[0] = level;
        }
    }

    /// Advances every state by one step (its lag) without an error.
    pub(crate) fn move_on(&mut self, form: Form, parameters: &Parameters) {
        let [a0, a1, b0, b1] = *parameters;
        for state in &mut self.level {
            *state = moved(state, &[0.0; L], a0, a1, 1);
        }
        if form == Form::Full {
            for state in &mut self.season {
                *state = moved(state, &[0.0; L], b0, b1, 3);
            }
        }
    }

    /// The forecast of step `step`; advances the states as if it came true.
    pub(crate) fn forecast(&mut self, form: Form, parameters: &Parameters, step: usize) -> Lanes<L> {
        let [a0, a1, b0, b1] = *parameters;
        let place = step % self.level.len();
        let mut forecast = self.level[place][0];
        self.level[place] = moved(&self.level[place], &[0.0; L], a0, a1, 1);
        if !self.season.is_empty() {
            let place = step % self.season.len();
            for (sum, season) in forecast.iter_mut().zip(self.season[place][0]) {
                *sum += season;
            }
            if form == Form::Full {
                self.season[place] = moved(&self.season[place], &[0.0; L], b0, b1, 3);
            }
        }
        forecast
    }
}

/// A complex state after an error, with parameter parts `p0` and `p1`, whose derivatives are lanes `first` and `first +
/// 1`, if these lanes exist.
fn moved<const L: usize>(state: &Pair<L>, error: &Lanes<L>, p0: f64, p1: f64, first: usize) -> Pair<L> {
    let mut next = [[0.0; L]; 2];
    for lane in 0..L {
        let (real, imaginary, error) = (state[0][lane], state[1][lane], error[lane]);
        next[0][lane] = real - (1.0 - p1) * imaginary + (p0 - p1) * error;
        next[1][lane] = real + (1.0 - p0) * imaginary + (p0 + p1) * error;
    }
    if first + 1 < L {
        let (imaginary, error) = (state[1][0], error[0]);
        next[0][first] += error;
        next[0][first + 1] += imaginary - error;
        next[1][first] += error - imaginary;
        next[1][first + 1] += error;
    }
    next
}
