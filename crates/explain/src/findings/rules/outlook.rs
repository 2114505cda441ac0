use serde::Serialize;

use crate::findings::Forecast;
use crate::findings::input::usable;

/// The forecast itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outlook {
    /// Number of steps of the horizon.
    pub steps: usize,
    /// First step of the forecast.
    pub from: usize,
    /// Last step of the forecast.
    pub to: usize,
    /// Sum of the means.
    pub total: f64,
    /// Mean of the means.
    pub mean: f64,
    /// The step with the highest mean.
    pub highest_at: usize,
    /// That mean.
    pub highest: f64,
    /// The step with the lowest mean.
    pub lowest_at: usize,
    /// That mean.
    pub lowest: f64,
    /// The 0.1 quantile of the last step; None if unknown.
    pub last_lower: Option<f64>,
    /// The mean of the last step.
    pub last: f64,
    /// The 0.9 quantile of the last step.
    pub last_upper: Option<f64>,
}

/// None if a mean is not a number. `ahead` is the index of the first step.
pub(crate) fn outlook(forecast: &Forecast<'_>, ahead: usize, scale: f64) -> Option<Outlook> {
    let mean = forecast.mean;
    let steps = mean.len();
    let total: f64 = mean.iter().map(|mean| mean / scale).sum();
    if steps == 0 || !mean.iter().all(|mean| usable(*mean)) {
        return None;
    }
    let best = |left: usize, right: usize| if mean[right] > mean[left] { right } else { left };
    let worst = |left: usize, right: usize| if mean[right] < mean[left] { right } else { left };
    let (highest, lowest) = ((1..steps).fold(0, best), (1..steps).fold(0, worst));
    let at_end = |quantiles: &[f64]| {
        quantiles.last().copied().filter(|value| usable(*value) && quantiles.len() == steps)
    };
    Some(Outlook {
        steps,
        from: ahead,
        to: ahead + steps - 1,
        total: total * scale,
        mean: total / steps as f64 * scale,
        highest_at: ahead + highest,
        highest: mean[highest],
        lowest_at: ahead + lowest,
        lowest: mean[lowest],
        last_lower: at_end(forecast.lower),
        last: mean[steps - 1],
        last_upper: at_end(forecast.upper),
    })
}
