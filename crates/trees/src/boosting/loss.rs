//! The losses that training minimises.

use super::TrainError;
use crate::Link;

/// A loss, written for target y and margin f. Training minimises its weighted mean over rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Loss {
    /// `(f - y)^2 / 2`.
    SquaredError,
    /// `(f - y)^2 / 2` up to a distance of `delta`, linear beyond (Huber, 1964).
    Huber {
        /// In the units of the target, positive.
        delta: f64,
    },
    /// Mean over the levels of `max(level (y - f), (level - 1)(y - f))` (Koenker and Bassett, 1978). Each tree is grown
    /// for one level in turn and used for all: its leaves hold the quantiles of their rows' residuals. Predictions are
    /// sorted in ascending order, which never increases the loss (Chernozhukov, Fernández-Val and Galichon, 2010).
    Pinball {
        /// Quantile levels, ascending, in (0, 1).
        levels: Vec<f64>,
    },
    /// `ln(1 + exp f) - y f` for y in [0, 1].
    Logistic,
    /// `-ln p_y` for classes y = 0, 1, ..., where p is the softmax of the margins.
    Softmax {
        /// Number of classes, at least 2.
        classes: usize,
    },
    /// `exp f - y f` for y >= 0.
    Poisson,
    /// `exp((2 - power) f) / (2 - power) - y exp((1 - power) f) / (1 - power)` for y >= 0 (Jørgensen, 1987).
    Tweedie {
        /// Power of the variance function, in (1, 2).
        power: f64,
    },
}

impl Loss {
    /// Number of margins per row.
    pub fn outputs(&self) -> usize {
        match self {
            Self::Pinball { levels } => levels.len(),
            Self::Softmax { classes } => *classes,
            _ => 1,
        }
    }

    /// Converts margins to predictions.
    pub fn link(&self) -> Link {
        match self {
            Self::SquaredError | Self::Huber { .. } => Link::Identity,
            Self::Pinball { .. } => Link::Ascending,
            Self::Logistic => Link::Logistic,
            Self::Softmax { .. } => Link::Softmax,
            Self::Poisson | Self::Tweedie { .. } => Link::Exponential,
        }
    }

    /// Number of trees per round.
    pub(crate) fn trees_per_round(&self) -> usize {
        if let Self::Softmax { classes } = self { *classes } else { 1 }
    }

    pub(crate) fn check(&self) -> Result<(), TrainError> {
        let (holds, text) = match self {
            Self::Huber { delta } => (*delta > 0.0 && delta.is_finite(), "delta is positive"),
            Self::Pinball { levels } => (
                !levels.is_empty()
                    && levels.iter().all(|&level| level > 0.0 && level < 1.0)
                    && levels.is_sorted_by(|a, b| a < b),
                "levels are ascending and in (0, 1)",
            ),
            Self::Softmax { classes } => (*classes >= 2, "classes is at least 2"),
            Self::Tweedie { power } => (*power > 1.0 && *power < 2.0, "power is in (1, 2)"),
            _ => (true, ""),
        };
        if holds { Ok(()) } else { Err(TrainError::Parameter(text.to_owned())) }
    }

    /// Whether a finite target is in the range of the loss.
    pub(crate) fn accepts(&self, target: f64) -> bool {
        match self {
            Self::Logistic => (0.0..=1.0).contains(&target),
            Self::Softmax { classes } => target >= 0.0 && target < *classes as f64 && target.fract() == 0.0,
            Self::Poisson | Self::Tweedie { .. } => target >= 0.0,
            _ => true,
        }
    }

    /// The loss of one row with these margins.
    pub fn of_row(&self, target: f64, margins: &[f64]) -> f64 {
        let margin = margins[0];
        match self {
            Self::SquaredError => 0.5 * (margin - target).powi(2),
            Self::Huber { delta } => {
                let distance = (margin - target).abs();
                if distance <= *delta { 0.5 * distance * distance } else { delta * (distance - 0.5 * delta) }
            }
            Self::Pinball { levels } => {
                let of = |(level, margin): (&f64, &f64)| {
                    (level * (target - margin)).max((level - 1.0) * (target - margin))
                };
                levels.iter().zip(margins).map(of).sum::<f64>() / levels.len() as f64
            }
            Self::Logistic => margin.max(0.0) + (-margin.abs()).exp().ln_1p() - target * margin,
            Self::Softmax { .. } => {
                let largest = margins.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = margins.iter().map(|margin| (margin - largest).exp()).sum();
                sum.ln() + largest - margins[target as usize]
            }
            Self::Poisson => margin.exp() - target * margin,
            Self::Tweedie { power } => {
                ((2.0 - power) * margin).exp() / (2.0 - power)
                    - target * ((1.0 - power) * margin).exp() / (1.0 - power)
            }
        }
    }
}
