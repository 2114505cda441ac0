//! Turns stretches of histories into rows of equal length and scale, whatever their series.

/// Inputs and targets are clipped at this many deviations, so that one series does not dominate the others.
const CLIP: f64 = 6.0;
/// A stretch with a smaller deviation, relative to its values, has a level and nothing else.
const LEAST_DEVIATION: f64 = 1e-9;

/// Location and scale of a stretch: the mean of its last season and its standard deviation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub(super) level: f64,
    pub(super) deviation: f64,
}

impl Unit {
    /// None if the stretch does not vary.
    pub(super) fn of(stretch: &[f64], season: usize) -> Option<Self> {
        let largest = stretch.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let mean_of =
            |values: &[f64]| values.iter().map(|value| value / largest).sum::<f64>() / values.len() as f64;
        let mean = mean_of(stretch);
        // Scaled values, because their squares neither overflow nor underflow.
        let variance =
            stretch.iter().map(|value| (value / largest - mean).powi(2)).sum::<f64>() / stretch.len() as f64;
        let deviation = variance.sqrt();
        let level = mean_of(&stretch[stretch.len().saturating_sub(season.max(1))..]);
        (deviation > LEAST_DEVIATION)
            .then_some(Self { level: level * largest, deviation: deviation * largest })
    }

    fn measure(&self, value: f64) -> f32 {
        ((value - self.level) / self.deviation).clamp(-CLIP, CLIP) as f32
    }

    /// Converts an output back to a value.
    pub(super) fn restore(&self, output: f32) -> f64 {
        self.level + f64::from(output) * self.deviation
    }
}

/// Appends a stretch to `inputs`; positions before its start are zero, which is the level.
pub(super) fn write_inputs(inputs: &mut [f32], stretch: &[f64], unit: &Unit) {
    let begin = inputs.len() - stretch.len();
    inputs[..begin].fill(0.0);
    for (input, value) in inputs[begin..].iter_mut().zip(stretch) {
        *input = unit.measure(*value);
    }
}

/// An origin in a history with enough values before it to learn from, and at least a part of the horizon after it.
#[derive(Debug, Clone)]
pub(super) struct Example<'a> {
    past: &'a [f64],
    pub(super) future: &'a [f64],
    unit: Unit,
    /// The weight of an error, in units of the stretch: errors are judged relative to seasonal differences.
    pub(super) importance: f32,
}

/// Seasonal differences are at least this fraction of the deviation, so that nearly perfect repetition does not
/// dominate.
const LEAST_DIFFERENCE: f64 = 0.2;

impl<'a> Example<'a> {
    /// The example at `origin` of a history, with at most `lookback` steps of the past; none if the past does not vary.
    pub(super) fn at(
        values: &'a [f64],
        origin: usize,
        lookback: usize,
        horizon: usize,
        season: usize,
    ) -> Option<Self> {
        let past = &values[origin.saturating_sub(lookback)..origin];
        let unit = Unit::of(past, season)?;
        let lag = if season < past.len() { season.max(1) } else { 1 };
        let differences =
            past.iter().zip(&past[lag..]).map(|(before, now)| ((now - before) / unit.deviation).abs());
        let difference = differences.sum::<f64>() / (past.len() - lag) as f64;
        let importance = difference.max(LEAST_DIFFERENCE).recip() as f32;
        let future = &values[origin..values.len().min(origin + horizon)];
        Some(Self { past, future, unit, importance })
    }

    /// Writes the rows of this example; positions after its future are zero.
    pub(super) fn write(&self, inputs: &mut [f32], targets: &mut [f32]) {
        write_inputs(inputs, self.past, &self.unit);
        targets.fill(0.0);
        for (target, value) in targets.iter_mut().zip(self.future) {
            *target = self.unit.measure(*value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> Vec<f64> {
        (0..40).map(|t| 50.0 + f64::from(t) + f64::from(t * 7 % 4)).collect()
    }

    #[test]
    fn rows_do_not_depend_on_level_and_scale() {
        let rows = |scale: f64, level: f64| {
            let values: Vec<f64> = history().iter().map(|value| level + scale * value).collect();
            let (mut inputs, mut targets) = ([9.0; 24], [9.0; 8]);
            Example::at(&values, 20, 16, 6, 4).expect("it varies").write(&mut inputs, &mut targets);
            (inputs, targets)
        };
        let (inputs, targets) = rows(1.0, 0.0);
        assert!(inputs[..8].iter().all(|input| *input == 0.0) && targets[6..] == [0.0, 0.0]);
        for (scale, level) in [(1e-9, 0.0), (1e300, 0.0), (3.0, 1e3)] {
            let (other_inputs, other_targets) = rows(scale, level);
            for (a, b) in inputs.iter().chain(&targets).zip(other_inputs.iter().chain(&other_targets)) {
                assert!((a - b).abs() < 1e-5, "{scale} {level}: {a} and {b}");
            }
        }
    }

    #[test]
    fn a_stretch_that_does_not_vary_has_no_unit() {
        assert!(Unit::of(&[0.0; 5], 4).is_none() && Unit::of(&[1e15; 5], 4).is_none());
    }

    #[test]
    fn outputs_are_restored_to_the_values_they_stand_for() {
        let unit = Unit::of(&history(), 4).expect("it varies");
        assert!((unit.restore(unit.measure(77.0)) - 77.0).abs() < 1e-4);
    }
}
