//! The weighted combination of the forecasts of several models.

use tabcast_models::Forecast;

use crate::combination::weighted_median::weighted_median;

/// A member's forecast and its weight, which is positive.
#[derive(Debug)]
pub(crate) struct WeightedForecast<'a> {
    pub(crate) forecast: &'a Forecast,
    pub(crate) weight: f64,
}

/// Combines the values that `value` reads from each forecast: the average of the weighted mean, which uses every
/// forecast, and the weighted median, which no single forecast can move far. `scratch` is working memory.
pub(crate) fn combine(
    forecasts: &[WeightedForecast<'_>],
    scratch: &mut Vec<(f64, f64)>,
    value: impl Fn(&Forecast) -> f64,
) -> f64 {
    scratch.clear();
    scratch.extend(forecasts.iter().map(|member| (value(member.forecast), member.weight)));
    let total: f64 = forecasts.iter().map(|member| member.weight).sum();
    let mean = scratch.iter().map(|(value, weight)| value * (weight / total)).sum::<f64>();
    f64::midpoint(mean, weighted_median(scratch))
}

/// The combined mean of a step.
pub(crate) fn combine_means(
    forecasts: &[WeightedForecast<'_>],
    step: usize,
    scratch: &mut Vec<(f64, f64)>,
) -> f64 {
    combine(forecasts, scratch, |forecast| forecast.mean[step])
}
