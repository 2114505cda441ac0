//! The two levels of a combination: first the models of the single series, then the global models beside them.

use tabcast_models::Forecast;

use crate::combination::blend_weights::BlendWeights;
use crate::combination::weighted_forecast::{self, WeightedForecast};
use crate::combination::weighted_median::weighted_median;
use crate::history::class::Class;
use crate::intervals::calibration::{Band, Calibration};

/// A model's spread counts at most this many times the usual one, the weighted median of all models at the step.
const WIDEST: f64 = 6.0;

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

    /// The largest spread that counts at a step. A few codes of a broken sensor far back in a history make the errors
    /// of most local models huge, but hardly those of the trees and of the seasonal regression, and one wide model
    /// moves every average. Calibration cannot put it right, since all series of a class share it.
    fn largest_spread(&self, step: usize, scratch: &mut Vec<(f64, f64)>) -> f64 {
        let shares = self.blend.at(step);
        let blended = self.blended.iter().zip(shares).filter(|(_, share)| *share > 0.0);
        scratch.clear();
        scratch.extend(blended.filter_map(|(forecast, share)| Some((forecast.as_ref()?.sd[step], share))));
        let rest = 1.0 - scratch.iter().map(|(_, share)| share).sum::<f64>();
        let total: f64 = self.local.iter().map(|member| member.weight).sum();
        let local = self.local.iter().map(|member| (member.forecast.sd[step], rest * member.weight / total));
        scratch.extend(local.filter(|(_, share)| *share > 0.0));
        let usual = if scratch.is_empty() { 0.0 } else { weighted_median(scratch) };
        if usual > 0.0 { WIDEST * usual } else { f64::INFINITY }
    }

    /// The combined quantile of a step, before calibration.
    fn raw_quantile(&self, step: usize, level: f64, largest: f64, scratch: &mut Vec<(f64, f64)>) -> f64 {
        let value = |forecast: &Forecast| {
            let quantile = forecast.quantile(step, level);
            let spread = forecast.sd[step];
            if spread <= largest {
                return quantile;
            }
            let median = forecast.quantile(step, 0.5);
            median + (quantile - median) * (largest / spread)
        };
        self.join(step, |forecasts| weighted_forecast::combine(forecasts, scratch, value), value)
    }

    /// The combined centre and band of a step, before calibration.
    pub(crate) fn band(&self, step: usize, scratch: &mut Vec<(f64, f64)>) -> Band {
        let largest = self.largest_spread(step, scratch);
        let mut at = |level: f64| self.raw_quantile(step, level, largest, scratch);
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
        let largest = self.largest_spread(step, &mut scratch);
        let quantile = self.raw_quantile(step, level, largest, &mut scratch);
        calibration.widen(step, score, band.centre, quantile)
    }
}

#[cfg(test)]
mod tests {
    use tabcast_models::Shape;
    use tabcast_statistics::normal_quantile;

    use super::*;
    use crate::learners::blended::BLENDED;

    fn forecast(sd: f64) -> Forecast {
        Forecast { mean: vec![10.0], sd: vec![sd], shape: Shape::Normal }
    }

    /// The band of local models of equal weight with these spreads, in units of the upper normal quantile; all medians
    /// are 10. Models with a blend weight have the spreads and shares of `blended`.
    fn width(local: &[f64], blended: [(f64, f64); BLENDED]) -> f64 {
        let forecasts: Vec<Forecast> = local.iter().copied().map(forecast).collect();
        let local = forecasts.iter().map(|forecast| WeightedForecast { forecast, weight: 0.7 }).collect();
        let (blend, blended) =
            (BlendWeights::of_shares(blended.map(|of| of.1)), blended.map(|of| Some(forecast(of.0))));
        let band = CombinedForecast::new(local, &blended, &blend).band(0, &mut Vec::new());
        let z = normal_quantile(0.9);
        assert!((band.centre - 10.0).abs() < 1e-12, "{band:?}");
        assert!((band.high + band.low - 20.0).abs() < 1e-9, "{band:?}");
        (band.high - 10.0) / z
    }

    const NONE: [(f64, f64); BLENDED] = [(0.0, 0.0); BLENDED];

    #[test]
    fn a_model_whose_spread_is_far_from_the_usual_widens_the_band_a_little() {
        for wild in [7.0, 1e3, 1e300] {
            // The usual spread is 1.1; the wild one counts as 6.6.
            let held = width(&[1.0, 1.2, 0.9, 1.1, wild], NONE);
            assert!((held - f64::midpoint(2.16, 1.1)).abs() < 1e-12, "{wild}: {held}");
        }
    }

    #[test]
    fn models_with_most_of_the_weight_say_what_is_usual_even_if_all_local_ones_are_far_off() {
        let held = width(&[400.0, 500.0, 3000.0], [(1.0, 0.4), (1.0, 0.2), (2.0, 0.1)]);
        assert!((held - (0.8 + 0.3 * 6.0)).abs() < 1e-9, "{held}");
        let alone = width(&[400.0, 500.0, 3000.0], NONE);
        assert!(alone > 500.0, "{alone}");
    }

    #[test]
    fn spreads_that_differ_as_usual_count_in_full() {
        assert!((width(&[1.0, 2.0, 9.0], NONE) - f64::midpoint(4.0, 2.0)).abs() < 1e-12);
        assert!((width(&[1.0, 99.0], NONE) - 50.0).abs() < 1e-9, "two models cannot tell which is wrong");
        assert!((width(&[0.0, 0.0, 3.0], NONE) - 0.5).abs() < 1e-12, "most models saw no error at all");
    }
}
