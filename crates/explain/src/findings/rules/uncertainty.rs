use serde::Serialize;

use crate::findings::Forecast;
use crate::findings::input::usable;

/// The 80 % interval is wide, or widens strongly.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Uncertainty {
    /// Width of the interval at the first step.
    pub first_width: f64,
    /// Width at the last step.
    pub last_width: f64,
    /// `last_width` over `first_width`; None if the latter is zero.
    pub ratio: Option<f64>,
    /// Mean width over mean absolute forecast; None if the latter is zero.
    pub relative: Option<f64>,
    /// Whether the ratio is above 3.
    pub growing: bool,
    /// Whether the relative width is above one half.
    pub wide: bool,
}

const GROWING: f64 = 3.0;
const WIDE: f64 = 0.5;

/// Forecasts are divided by `scale`, so that sums do not overflow.
pub(crate) fn uncertainty(forecast: &Forecast<'_>, scale: f64) -> Option<Uncertainty> {
    let Forecast { mean, lower, upper, .. } = *forecast;
    let all = || mean.iter().chain(lower).chain(upper);
    if mean.is_empty()
        || lower.len() != mean.len()
        || upper.len() != mean.len()
        || !all().all(|value| usable(*value))
    {
        return None;
    }
    let width = |step: usize| (upper[step] / scale - lower[step] / scale).max(0.0);
    let (first, last) = (width(0), width(mean.len() - 1));
    let widths: f64 = (0..mean.len()).map(width).sum();
    let sizes: f64 = mean.iter().map(|mean| (mean / scale).abs()).sum();
    let ratio = (first > 0.0).then(|| last / first).filter(|ratio| ratio.is_finite());
    let relative = (sizes > 0.0).then(|| widths / sizes).filter(|relative| relative.is_finite());
    let growing = ratio.is_some_and(|ratio| ratio > GROWING);
    let wide = relative.is_some_and(|relative| relative > WIDE);
    (growing || wide).then_some(Uncertainty {
        first_width: first * scale,
        last_width: last * scale,
        ratio,
        relative,
        growing,
        wide,
    })
}
