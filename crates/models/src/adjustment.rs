//! Seasonal adjustment: removes fixed patterns from a series and adds them back to its forecasts.
//!
//! A classical decomposition (Persons, Indices of business conditions, 1919) by a moving average over the longest
//! significant season, then one pattern per season length, shortest first, each from the remainder of the previous
//! ones. Differences from the source: logarithms instead of ratios, and weights that fall with the age of a cycle.

use tabcast_statistics::{has_season, moving_average};

use crate::Forecast;
use crate::logarithm::suits_logarithms;

/// The weight of a cycle relative to the next one in a pattern, for the shortest season and for longer ones. Short
/// cycles are many and change slowly; of long ones, only the last few describe the present. Against equal weights, .85
/// improves the theta model on quarterly, monthly, weekly and daily M4 series (weekly OWA .85 to .80).
const SHORT_CYCLE_DECAY: f64 = 0.85;
const LONG_CYCLE_DECAY: f64 = 0.6;

/// The seasonal patterns that were taken out of a series.
pub(crate) struct Adjustment {
    /// One pattern per period; entry `t % period` belongs to step `t` of the series.
    patterns: Vec<Vec<f64>>,
    /// Whether the patterns are logarithms of factors rather than summands.
    multiplicative: bool,
    /// The step of the first forecast.
    next: usize,
}

impl Adjustment {
    /// Removes the pattern of each of `periods` (ascending) that the series shows, and returns the adjusted series with
    /// it. Without any significant season the series is returned unchanged.
    pub(crate) fn remove(values: &[f64], periods: &[usize]) -> (Self, Vec<f64>) {
        let multiplicative = suits_logarithms(values);
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
            let decay = if rank == 0 { SHORT_CYCLE_DECAY } else { LONG_CYCLE_DECAY };
            let pattern = recent_pattern(&rest, period, decay);
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

/// The mean of each phase with weights that fall by `decay` a cycle into the past, shifted to sum to zero.
fn recent_pattern(rest: &[f64], period: usize, decay: f64) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); period];
    let mut weight = 1.0;
    for (back, step) in (0..rest.len()).rev().enumerate() {
        if back > 0 && back.is_multiple_of(period) {
            weight *= decay;
        }
        let (sum, total) = &mut sums[step % period];
        *sum += weight * rest[step];
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
