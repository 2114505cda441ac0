//! Seasonal adjustment: taking fixed patterns out of a series and putting them back into its forecasts.

use tabcast_statistics::{has_season, moving_average};

use crate::Forecast;

/// A series is decomposed in logarithms only when its smallest value is above this part of its mean: closer to
/// zero, logarithms turn small changes into the largest ones.
const SMALLEST_FOR_LOGARITHM: f64 = 0.02;

/// With several season lengths, how much less each earlier cycle counts: short cycles are many and change
/// slowly from one to the next; of long cycles only the last few describe the present.
const SHORT_CYCLE_DECAY: f64 = 0.8;
const LONG_CYCLE_DECAY: f64 = 0.6;

/// The seasonal patterns that were taken out of a series.
pub(crate) struct Adjustment {
    /// One pattern a period; entry `t % period` belongs to step `t` of the series.
    patterns: Vec<Vec<f64>>,
    /// Whether the patterns are logarithms of factors rather than summands.
    multiplicative: bool,
    /// The step that the first forecast belongs to.
    next: usize,
}

impl Adjustment {
    /// Takes out the pattern of each of `periods` (ascending) that the series shows, and returns the adjusted
    /// series with it. Without any significant season the series comes back unchanged.
    pub(crate) fn remove(values: &[f64], periods: &[usize]) -> (Self, Vec<f64>) {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let multiplicative = lowest > 0.0 && lowest > SMALLEST_FOR_LOGARITHM * mean;
        let mut adjustment = Self { patterns: Vec::new(), multiplicative, next: values.len() };
        let Some(&longest) = periods.iter().rfind(|&&period| has_season(values, period)) else {
            return (adjustment, values.to_vec());
        };
        let scaled: Vec<f64> =
            if multiplicative { values.iter().map(|value| value.ln()).collect() } else { values.to_vec() };
        let trend = moving_average(&scaled, longest);
        let mut rest: Vec<f64> = scaled.iter().zip(&trend).map(|(value, trend)| value - trend).collect();
        for (rank, &period) in periods.iter().enumerate() {
            if !has_season(&rest, period) {
                continue;
            }
            let pattern = match (periods.len(), rank) {
                (1, _) => plain_pattern(&rest, period),
                (_, 0) => recent_pattern(&rest, period, SHORT_CYCLE_DECAY),
                _ => recent_pattern(&rest, period, LONG_CYCLE_DECAY),
            };
            for (step, value) in rest.iter_mut().enumerate() {
                *value -= pattern[step % period];
            }
            adjustment.patterns.push(pattern);
        }
        let adjusted =
            values.iter().enumerate().map(|(step, &value)| adjustment.adjust(step, value)).collect();
        (adjustment, adjusted)
    }

    fn adjust(&self, step: usize, value: f64) -> f64 {
        let season = self.season(step);
        if self.multiplicative { value / season } else { value - season }
    }

    /// The summand or the factor of a step.
    fn season(&self, step: usize) -> f64 {
        let sum: f64 = self.patterns.iter().map(|pattern| pattern[step % pattern.len()]).sum();
        if self.multiplicative { sum.exp() } else { sum }
    }

    /// Puts the season back into forecasts of the adjusted series.
    pub(crate) fn restore(&self, forecast: &mut Forecast) {
        if self.patterns.is_empty() {
            return;
        }
        for (step, (mean, sd)) in forecast.mean.iter_mut().zip(&mut forecast.sd).enumerate() {
            let season = self.season(self.next + step);
            if self.multiplicative {
                *mean *= season;
                *sd *= season;
            } else {
                *mean += season;
            }
        }
    }

    /// Puts the season back into one-step forecasts of the adjusted series.
    pub(crate) fn restore_fitted(&self, fitted: &mut [f64]) {
        for (step, value) in fitted.iter_mut().enumerate() {
            let season = self.season(step);
            *value = if self.multiplicative { *value * season } else { *value + season };
        }
    }
}

/// The mean of each phase over the steps where the moving average is a full one (classical decomposition),
/// shifted to sum to zero.
fn plain_pattern(rest: &[f64], period: usize) -> Vec<f64> {
    let half = period / 2;
    weighted_pattern(rest, period, |step| if step >= half && step + half < rest.len() { 1.0 } else { 0.0 })
}

/// The mean of each phase with weights that fall by `decay` a cycle into the past, shifted to sum to zero.
fn recent_pattern(rest: &[f64], period: usize, decay: f64) -> Vec<f64> {
    let cycles = rest.len().div_ceil(period);
    let mut weights = vec![1.0; cycles];
    for back in 1..cycles {
        weights[back] = weights[back - 1] * decay;
    }
    weighted_pattern(rest, period, |step| weights[(rest.len() - 1 - step) / period])
}

fn weighted_pattern(rest: &[f64], period: usize, weight: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); period];
    for (step, value) in rest.iter().enumerate() {
        let weight = weight(step);
        let (sum, total) = &mut sums[step % period];
        *sum += weight * value;
        *total += weight;
    }
    let mut pattern: Vec<f64> =
        sums.iter().map(|&(sum, total)| if total > 0.0 { sum / total } else { 0.0 }).collect();
    let mean = pattern.iter().sum::<f64>() / period as f64;
    for value in &mut pattern {
        *value -= mean;
    }
    pattern
}
