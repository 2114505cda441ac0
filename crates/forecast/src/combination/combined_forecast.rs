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
    /// The models with a blend weight, in their order; the local forecasts share what they leave.
    blended: &'a [Option<Forecast>],
    blend: &'a BlendWeights,
}

impl<'a> CombinedForecast<'a> {
    /// The blend weight of a model without a forecast goes to the local forecasts. If there are no local forecasts, the
    /// others share the whole weight.
    pub(crate) fn new(
        local: Vec<WeightedForecast<'a>>,
        blended: &'a [Option<Forecast>],
        blend: &'a BlendWeights,
    ) -> Self {
        Self { local, blended: if blend.any() { blended } else { &[] }, blend }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.local.is_empty() && self.blended.iter().all(Option::is_none)
    }

    fn join(
        &self,
        step: usize,
        local: impl FnOnce(&[WeightedForecast<'a>]) -> f64,
        value: impl Fn(&Forecast) -> f64,
    ) -> f64 {
        let shares = self.blend.at(step);
        let (mut sum, mut total) = (0.0, 0.0);
        for (forecast, share) in self.blended.iter().zip(shares) {
            if let (Some(forecast), true) = (forecast, share > 0.0) {
                sum += share * value(forecast);
                total += share;
            }
        }
        if !self.local.is_empty() {
            return if total > 0.0 { sum + (1.0 - total) * local(&self.local) } else { local(&self.local) };
        }
        if total > 0.0 {
            return sum / total;
        }
        let (count, sum) = self
            .blended
            .iter()
            .flatten()
            .fold((0.0, 0.0), |(count, sum), forecast| (count + 1.0, sum + value(forecast)));
        sum / count
    }

    /// The combined mean of a step; `scratch` is working memory.
    pub(crate) fn mean(&self, step: usize, scratch: &mut Vec<(f64, f64)>) -> f64 {
        self.join(
            step,
            |forecasts| weighted_forecast::combine_means(forecasts, step, scratch),
            |forecast| forecast.mean[step],
        )
    }

    /// The combined centre and band of a step, before calibration.
    pub(crate) fn band(&self, step: usize, scratch: &mut Vec<(f64, f64)>) -> Band {
        let mut at = |level: f64| {
            self.join(
                step,
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
    /// combined directly, and widened at high frequencies.
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
        let quantile = self.join(
            step,
            |forecasts| {
                weighted_forecast::combine(forecasts, &mut scratch, |forecast| forecast.quantile(step, level))
            },
            |forecast| forecast.quantile(step, level),
        );
        calibration.widen(step, score, band.centre, quantile)
    }
}
