use serde::Serialize;

use crate::findings::input::usable;
use crate::findings::{Forecast, Series};

/// The forecast compared with the same part of the season before, or with as many last steps if there is no season.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Sum of the means over the compared steps.
    pub forecast: f64,
    /// Sum of the values of the steps compared with.
    pub previous: f64,
    /// Their difference.
    pub change: f64,
    /// `change` as a share of `previous`; None unless that is above zero.
    pub relative: Option<f64>,
    /// Whether the change is below 3 %.
    pub about_same: bool,
    /// Whether `previous` lies outside the sums of the 0.1 and 0.9 quantiles; None if they are unknown.
    pub outside_band: Option<bool>,
    /// Number of compared steps.
    pub steps: usize,
    /// First compared step of the forecast.
    pub from: usize,
    /// Last compared step of the forecast.
    pub to: usize,
    /// The step with which `from` is compared.
    pub previous_from: usize,
    /// The step with which `to` is compared.
    pub previous_to: usize,
    /// Number of seasons between the compared steps; None without a season, and then `previous_to` is the last step of
    /// the history.
    pub seasons: Option<usize>,
}

const LEAST: f64 = 0.03;

pub(crate) fn compare(series: &Series<'_>, scale: f64) -> Option<Comparison> {
    let Forecast { mean, lower, upper, .. } = series.forecast;
    let history = series.history;
    let season = series.season_length.max(1);
    let horizon = mean.len();
    let lag = if season > 1 { horizon.div_ceil(season) * season } else { horizon };
    // A horizon of several seasons may reach back too far; then its first season is compared.
    let (lag, steps) = if lag <= history.len() { (lag, horizon) } else { (season, horizon.min(season)) };
    if steps == 0 || lag > history.len() {
        return None;
    }
    let first = history.len() - lag;
    let previous = &history[first..first + steps];
    let known = |step: &usize| usable(previous[*step]);
    if 2 * (0..steps).filter(known).count() < steps {
        return None;
    }
    let sum = |values: &[f64]| (0..steps).filter(known).map(|step| values[step] / scale).sum::<f64>();
    let (ours, theirs) = (sum(mean), sum(previous));
    let sizes: f64 = (0..steps).filter(known).map(|step| (previous[step] / scale).abs()).sum();
    let change = ours - theirs;
    if !mean.iter().all(|mean| usable(*mean)) {
        return None;
    }
    let relative = (theirs > 0.1 * sizes).then(|| change / theirs);
    let is_known =
        |quantiles: &[f64]| quantiles.len() == horizon && quantiles.iter().all(|value| usable(*value));
    let band = (is_known(lower) && is_known(upper)).then(|| (sum(lower), sum(upper)));
    Some(Comparison {
        forecast: ours * scale,
        previous: theirs * scale,
        change: change * scale,
        relative,
        about_same: relative
            .map_or(change.abs() < LEAST * sizes || change == 0.0, |share| share.abs() < LEAST),
        outside_band: band.map(|(low, high)| theirs < low || theirs > high),
        steps,
        from: series.start + history.len(),
        to: series.start + history.len() + steps - 1,
        previous_from: series.start + first,
        previous_to: series.start + first + steps - 1,
        seasons: (season > 1).then_some(lag / season),
    })
}
