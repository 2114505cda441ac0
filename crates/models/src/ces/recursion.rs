//! The recursions, computed together with their derivatives with respect to the parameters.

use super::form::{Form, Parameters};
use tabcast_statistics::moving_average;

/// A number and its first `D` derivatives by the two parts of alpha and the one or two parts of beta. The number has a
/// register of its own, so the compiler can keep the derivatives together in vectors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dual<const D: usize> {
    pub(crate) value: f64,
    pub(crate) slopes: [f64; D],
}

/// A complex state.
type Pair<const D: usize> = [Dual<D>; 2];

impl<const D: usize> Dual<D> {
    /// Does not depend on the parameters.
    pub(crate) const fn constant(value: f64) -> Self {
        Self { value, slopes: [0.0; D] }
    }

    #[expect(clippy::inline_always, reason = "only the caller may know the instruction set")]
    #[inline(always)]
    fn subtract(&mut self, other: &Self) {
        self.value -= other.value;
        for (slope, other) in self.slopes.iter_mut().zip(&other.slopes) {
            *slope -= other;
        }
    }
}

/// Level and season; entry `t % length` belongs to step `t`.
#[derive(Debug, Clone, Default)]
pub(crate) struct States<const D: usize> {
    pub(crate) level: Vec<Pair<D>>,
    pub(crate) season: Vec<Pair<D>>,
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

impl States<0> {
    /// Rough states before the first value, to be refined by a pass forward and one back.
    pub(crate) fn rough(values: &[f64], form: Form, period: usize) -> Self {
        let pair = |value: f64| [Dual::constant(value), Dual::constant(value * IMAGINARY_PART)];
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

impl<const D: usize> States<D> {
    /// Copies states, which do not depend on the parameters.
    #[expect(clippy::inline_always, reason = "only the caller may know the instruction set")]
    #[inline(always)]
    pub(crate) fn copy_from(&mut self, from: &States<0>) {
        let widen = |pair: &Pair<0>| pair.map(|part| Dual::constant(part.value));
        self.level.clear();
        self.level.extend(from.level.iter().map(widen));
        self.season.clear();
        self.season.extend(from.season.iter().map(widen));
    }

    /// Runs over the series from these states and leaves the last ones; calls `see` with each step and its error.
    #[expect(clippy::inline_always, reason = "only the caller may know the instruction set")]
    #[inline(always)]
    pub(crate) fn pass(
        &mut self,
        values: &[f64],
        form: Form,
        parameters: &Parameters,
        direction: Direction,
        see: impl FnMut(usize, &Dual<D>),
    ) {
        match form {
            Form::None => self.pass_through::<false, 0>(values, parameters, direction, see),
            Form::Simple => self.pass_through::<true, 0>(values, parameters, direction, see),
            Form::Partial => self.pass_through::<false, 1>(values, parameters, direction, see),
            Form::Full => self.pass_through::<false, 2>(values, parameters, direction, see),
        }
    }

    /// `LAGGED` levels refer to the previous cycle; a season has `PARTS` parts.
    #[expect(clippy::inline_always, reason = "only the caller may know the instruction set")]
    #[inline(always)]
    fn pass_through<const LAGGED: bool, const PARTS: usize>(
        &mut self,
        values: &[f64],
        parameters: &Parameters,
        direction: Direction,
        mut see: impl FnMut(usize, &Dual<D>),
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
            let mut error = Dual::constant(values[step]);
            error.subtract(&level[0]);
            if PARTS > 0 {
                error.subtract(&season[phase][0]);
            }
            see(step, &error);
            level = moved(&level, &error, a0, a1, 0);
            if LAGGED {
                levels[phase] = level;
            }
            if PARTS == 1 {
                let state = &mut season[phase][0];
                state.value += b0 * error.value;
                for (slope, of_error) in state.slopes.iter_mut().zip(&error.slopes) {
                    *slope += b0 * of_error;
                }
                if D > 2 {
                    state.slopes[2] += error.value;
                }
            }
            if PARTS == 2 {
                season[phase] = moved(&season[phase], &error, b0, b1, 2);
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
    #[expect(clippy::inline_always, reason = "only the caller may know the instruction set")]
    #[inline(always)]
    pub(crate) fn move_on(&mut self, form: Form, parameters: &Parameters) {
        let [a0, a1, b0, b1] = *parameters;
        for state in &mut self.level {
            *state = moved(state, &Dual::constant(0.0), a0, a1, 0);
        }
        if form == Form::Full {
            for state in &mut self.season {
                *state = moved(state, &Dual::constant(0.0), b0, b1, 2);
            }
        }
    }

    /// The forecast of step `step`; advances the states as if it came true.
    pub(crate) fn forecast(&mut self, form: Form, parameters: &Parameters, step: usize) -> f64 {
        let [a0, a1, b0, b1] = *parameters;
        let place = step % self.level.len();
        let mut forecast = self.level[place][0].value;
        self.level[place] = moved(&self.level[place], &Dual::constant(0.0), a0, a1, 0);
        if !self.season.is_empty() {
            let place = step % self.season.len();
            forecast += self.season[place][0].value;
            if form == Form::Full {
                self.season[place] = moved(&self.season[place], &Dual::constant(0.0), b0, b1, 2);
            }
        }
        forecast
    }
}

/// A complex state after an error, with parameter parts `p0` and `p1`. The derivatives by these have the indices
/// `first` and `first + 1`, if there are as many.
#[expect(clippy::inline_always, reason = "only the caller may know the instruction set")]
#[inline(always)]
fn moved<const D: usize>(state: &Pair<D>, error: &Dual<D>, p0: f64, p1: f64, first: usize) -> Pair<D> {
    let [real, imaginary] = state;
    let (by_real, by_imaginary) = (p0 - p1, p0 + p1);
    let mut next = [Dual::constant(0.0); 2];
    next[0].value = real.value - (1.0 - p1) * imaginary.value + by_real * error.value;
    next[1].value = real.value + (1.0 - p0) * imaginary.value + by_imaginary * error.value;
    // By the product rule: the parameters are factors of the terms below.
    let mut own = [[0.0; D]; 2];
    if first + 1 < D {
        let rest = imaginary.value - error.value;
        (own[0][first], own[0][first + 1]) = (error.value, rest);
        (own[1][first], own[1][first + 1]) = (-rest, error.value);
    }
    #[expect(clippy::needless_range_loop, reason = "five vectors in step")]
    for at in 0..D {
        let (real, imaginary, error) = (real.slopes[at], imaginary.slopes[at], error.slopes[at]);
        next[0].slopes[at] = real - (1.0 - p1) * imaginary + by_real * error + own[0][at];
        next[1].slopes[at] = real + (1.0 - p0) * imaginary + by_imaginary * error + own[1][at];
    }
    next
}
