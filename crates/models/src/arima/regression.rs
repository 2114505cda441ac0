//! Regressors: external columns, and Fourier terms of long seasons.

use super::differencing::Differencing;

/// A column is dropped if its residual on the columns before it is below this fraction of its length.
const DEPENDENT: f64 = 1e-6;

/// A sine or a cosine of one frequency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wave {
    /// Cycles per step.
    pub(super) frequency: f64,
    pub(super) is_sine: bool,
}

impl Wave {
    pub(super) fn at(&self, step: usize) -> f64 {
        // Takes whole cycles off first: the sine of a large argument loses digits.
        let angle = std::f64::consts::TAU * (self.frequency * step as f64).fract();
        if self.is_sine { angle.sin() } else { angle.cos() }
    }
}

/// The regressors of a series.
#[derive(Debug, Clone, Default)]
pub(super) struct Design {
    /// External columns, centred and scaled over the history, as far into the future as they are known.
    outside: Vec<Vec<f64>>,
    waves: Vec<Wave>,
}

impl Design {
    /// Columns over `length` values of history. Columns that are not finite or do not cover the history are ignored.
    pub(super) fn new(regressors: &[Vec<f64>], skipped: usize, length: usize, waves: Vec<Wave>) -> Self {
        let usable = |column: &&Vec<f64>| {
            column.len() >= skipped + length && column.iter().all(|value| value.is_finite())
        };
        let standardised = |column: &Vec<f64>| {
            let column = &column[skipped..];
            let largest = column.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
            if largest == 0.0 {
                return vec![0.0; column.len()];
            }
            let mean = column[..length].iter().map(|value| value / largest).sum::<f64>() / length as f64;
            let spread = column[..length].iter().map(|value| (value / largest - mean).powi(2)).sum::<f64>();
            let factor = if spread > 0.0 { (spread / length as f64).sqrt().recip() } else { 0.0 };
            column.iter().map(|value| (value / largest - mean) * factor).collect()
        };
        Self { outside: regressors.iter().filter(usable).map(standardised).collect(), waves }
    }

    /// Drops columns that are collinear after differencing, so that the coefficients are determined.
    pub(super) fn drop_dependent(&mut self, length: usize, differencing: &Differencing) {
        let count = length - differencing.length;
        let mut basis: Vec<Vec<f64>> = Vec::new();
        if count > 0 {
            basis.push(vec![(count as f64).sqrt().recip(); count]);
        }
        let mut is_independent = |column: Vec<f64>| {
            let mut rest = differencing.apply(&column);
            let size = column.iter().map(|value| value * value).sum::<f64>().sqrt();
            // Each regressor needs more than one observation.
            if basis.len() * 2 >= count {
                return false;
            }
            // Two passes, because one leaves rounding errors along the basis.
            for _ in 0..2 {
                for direction in &basis {
                    let along: f64 = direction.iter().zip(&rest).map(|(a, b)| a * b).sum();
                    for (value, part) in rest.iter_mut().zip(direction) {
                        *value -= along * part;
                    }
                }
            }
            let left = rest.iter().map(|value| value * value).sum::<f64>().sqrt();
            let independent = left > DEPENDENT * size;
            if independent {
                for value in &mut rest {
                    *value /= left;
                }
                basis.push(rest);
            }
            independent
        };
        self.outside.retain(|column| is_independent(column[..length].to_vec()));
        self.waves.retain(|wave| is_independent((0..length).map(|step| wave.at(step)).collect()));
    }

    pub(super) fn len(&self) -> usize {
        self.outside.len() + self.waves.len()
    }

    /// All columns over the first `length` steps; beyond its end, a column repeats its last value.
    pub(super) fn columns(&self, length: usize) -> Vec<Vec<f64>> {
        let outside = self.outside.iter().map(|column| {
            let last = column[column.len() - 1];
            (0..length).map(|step| column.get(step).copied().unwrap_or(last)).collect()
        });
        let waves = self.waves.iter().map(|wave| (0..length).map(|step| wave.at(step)).collect());
        outside.chain(waves).collect()
    }

    /// The effect of the regressors at a step.
    pub(super) fn explained(&self, coefficients: &[f64], step: usize) -> f64 {
        let outside = self.outside.iter().map(|column| column[step.min(column.len() - 1)]);
        let waves = self.waves.iter().map(|wave| wave.at(step));
        outside.chain(waves).zip(coefficients).map(|(x, coefficient)| x * coefficient).sum()
    }
}
