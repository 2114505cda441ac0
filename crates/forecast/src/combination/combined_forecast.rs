//! The two levels of a combination: first the models of the single series, then the global models beside them.

use tabcast_models::Forecast;

use crate::combination::blend_weights::BlendWeights;
use crate::combination::weighted_forecast::{self, WeightedForecast};
use crate::history::class::Class;
use crate::intervals::calibration::{Band, Calibration};

/// The forecasts of all models for a series, with their weights.
#[derive(Debug)]
pub(crate) struct CombinedForecast<'a> {
    local: Vec<WeightedForecast<'a>>,
    /// Weights are fractions of 1; the local forecasts share the rest.
    global: Vec<WeightedForecast<'a>>,
}

impl<'a> CombinedForecast<'a> {
    /// The blend weight of a global model without a forecast goes to the local forecasts. If there are no local
    /// forecasts, the global ones share the whole weight.
    pub(crate) fn new(
        local: Vec<WeightedForecast<'a>>,
        global: &'a [Option<Forecast>],
        blend: &BlendWeights,
    ) -> Self {
        let mut global: Vec<WeightedForecast<'a>> = global
            .iter()
            .zip(blend.of_members())
            .filter_map(|(forecast, weight)| {
                forecast.as_ref().map(|forecast| WeightedForecast { forecast, weight })
            })
            .filter(|member| member.weight > 0.0)
            .collect();
        if local.is_empty() {
            let total: f64 = global.iter().map(|member| member.weight).sum();
            for member in &mut global {
                member.weight /= total;
            }
        }
        Self { local, global }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.local.is_empty() && self.global.is_empty()
    }

    fn join(
        &self,
        local: impl FnOnce(&[WeightedForecast<'a>]) -> f64,
        value: impl Fn(&Forecast) -> f64,
    ) -> f64 {
        let (mut sum, mut left) = (0.0, 1.0);
        for member in &self.global {
            sum += member.weight * value(member.forecast);
            left -= member.weight;
        }
        if self.local.is_empty() {
            sum
        } else if self.global.is_empty() {
            local(&self.local)
        } else {
            sum + left * local(&self.local)
        }
    }

    /// The combined mean of a step; `scratch` is working memory.
    pub(crate) fn mean(&self, step: usize, scratch: &mut Vec<(f64, f64)>) -> f64 {
        self.join(
            |forecasts| weighted_forecast::combine_means(forecasts, step, scratch),
            |forecast| forecast.mean[step],
        )
    }

    /// The combined centre and band of a step, before calibration.
    pub(crate) fn band(&self, step: usize, scratch: &mut Vec<(f64, f64)>) -> Band {
        let mut at = |level: f64| {
            self.join(
                |forecasts| {
                    weighted_forecast::combine(forecasts, scratch, |forecast| forecast.quantile(step, level))
                },
                |forecast| forecast.quantile(step, level),
            )
        };
        Band { centre: at(0.5), low: at(crate::run::plan::BAND.0), high: at(crate::run::plan::BAND.1) }
    }

    /// The combined quantile of a step at the level whose normal quantile is given. A centre and two sides cannot
    /// describe intermittent demand, which has much of its probability at zero; there the members' own quantiles are
    /// combined directly.
    pub(crate) fn quantile(
        &self,
        class: Class,
        calibration: &Calibration,
        step: usize,
        (level, score): (f64, f64),
        band: Band,
    ) -> f64 {
        if class != Class::Intermittent {
            return calibration.quantile(step, score, band);
        }
        let mut scratch = Vec::with_capacity(self.local.len());
        self.join(
            |forecasts| {
                weighted_forecast::combine(forecasts, &mut scratch, |forecast| forecast.quantile(step, level))
            },
            |forecast| forecast.quantile(step, level),
        )
    }
}
