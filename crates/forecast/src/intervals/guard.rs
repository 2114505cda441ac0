use tabcast_models::Forecast;

use crate::run::plan::Plan;

/// A forecast may leave the history's range by this many ranges, and by more as the horizon outgrows the history.
const EXPLOSION_RANGES: f64 = 3.0;
/// An interval may be this much wider than that of a seasonal random walk.
const WIDTH_CAP: f64 = 4.0;

/// Plausibility limits for forecasts, from the history of a series.
#[derive(Debug)]
pub(crate) struct Guard {
    lowest: f64,
    highest: f64,
    non_negative: bool,
    /// Root mean square of the seasonal differences.
    seasonal_step: f64,
    season: usize,
    band: (usize, usize),
    /// Absolute standard normal quantile of each level, at least half a deviation.
    reach: Vec<f64>,
    /// Steps that are always zero; empty if there are none.
    closed: Vec<bool>,
}

impl Guard {
    /// `values` is the regular, finite history.
    pub(crate) fn new(values: &[f64], plan: &Plan) -> Self {
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let season = if plan.season < values.len() { plan.season.max(1) } else { 1 };
        let differences = values.len().saturating_sub(season).max(1) as f64;
        // hypot keeps squares of very large and very small numbers from overflowing or underflowing.
        let square_sum =
            values.iter().zip(values.iter().skip(season)).map(|(a, b)| b - a).fold(0.0, f64::hypot);
        let allowance = EXPLOSION_RANGES * (1.0 + plan.horizon as f64 / values.len() as f64);
        let slack = (highest - lowest) * allowance;
        Self {
            lowest: (lowest - slack).max(-f64::MAX),
            highest: (highest + slack).min(f64::MAX),
            non_negative: lowest >= 0.0,
            seasonal_step: square_sum / differences.sqrt(),
            season,
            band: plan.band,
            reach: plan.levels.iter().map(|(_, score)| score.abs().max(0.5)).collect(),
            closed: Vec::new(),
        }
    }

    /// Adds steps that are always zero.
    pub(crate) fn with_closed(self, closed: Vec<bool>) -> Self {
        Self { closed, ..self }
    }

    /// Drops the cap on widths, for intervals learned from outcomes: these are better evidence about the width than a
    /// few values.
    pub(crate) fn without_width(self) -> Self {
        Self { seasonal_step: 0.0, ..self }
    }

    /// Whether every number of a member's forecast is finite and plausible given the history.
    pub(crate) fn believes(&self, forecast: &Forecast) -> bool {
        let near = |&mean: &f64| mean.is_finite() && mean >= self.lowest && mean <= self.highest;
        forecast.mean.iter().all(near) && forecast.sd.iter().all(|sd| sd.is_finite() && *sd >= 0.0)
    }

    /// Keeps closed steps at zero, caps the width, clips below zero if the history never went there, and makes
    /// quantiles ascend. Returns the mean, clamped to the band. `quantiles` cover all of the plan's levels.
    pub(crate) fn hold(&self, step: usize, mean: f64, quantiles: &mut [f64]) -> f64 {
        if self.closed.get(step).is_some_and(|closed| *closed) {
            quantiles.fill(0.0);
            return 0.0;
        }
        let floor = if self.non_negative { 0.0 } else { -f64::MAX };
        let mean = mean.clamp(floor, f64::MAX);
        let naive_deviation = self.seasonal_step * ((step / self.season + 1) as f64).sqrt();
        let mut previous = floor;
        for (quantile, reach) in quantiles.iter_mut().zip(&self.reach) {
            let width = WIDTH_CAP * reach * naive_deviation;
            // A width of zero means a history that repeats exactly; then the members' own spread is kept.
            if width > 0.0 {
                *quantile = quantile.clamp((mean - width).max(-f64::MAX), (mean + width).min(f64::MAX));
            }
            *quantile = quantile.max(previous);
            previous = *quantile;
        }
        mean.clamp(quantiles[self.band.0], quantiles[self.band.1])
    }
}
