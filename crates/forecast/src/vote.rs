//! What the members of a series say together.

use tabcast_models::Forecast;

use crate::calibration::{Band, Calibration};
use crate::class::Class;
use crate::combine::weighted_median;
use crate::plan::BAND;

/// A member's forecast and how much it counts; the weight is positive.
#[derive(Debug)]
pub(crate) struct Vote<'a> {
    pub(crate) forecast: &'a Forecast,
    pub(crate) weight: f64,
}

/// What the votes say together about what `value` reads off each: the average of their weighted mean, which uses every vote,
/// and their weighted median, which no single vote can move far. `room` is working storage.
fn vote(votes: &[Vote<'_>], room: &mut Vec<(f64, f64)>, value: impl Fn(&Forecast) -> f64) -> f64 {
    room.clear();
    room.extend(votes.iter().map(|vote| (value(vote.forecast), vote.weight)));
    let total: f64 = votes.iter().map(|vote| vote.weight).sum();
    let mean = room.iter().map(|(value, weight)| value * (weight / total)).sum::<f64>();
    f64::midpoint(mean, weighted_median(room))
}

/// The combined mean of a step.
pub(crate) fn combined_mean(votes: &[Vote<'_>], step: usize, room: &mut Vec<(f64, f64)>) -> f64 {
    vote(votes, room, |forecast| forecast.mean[step])
}

/// The combined centre and band of a step, before calibration.
pub(crate) fn band(votes: &[Vote<'_>], step: usize, room: &mut Vec<(f64, f64)>) -> Band {
    let mut at = |level: f64| vote(votes, room, |forecast| forecast.quantile(step, level));
    Band { centre: at(0.5), low: at(BAND.0), high: at(BAND.1) }
}

/// The combined quantile of a step at a level with its normal score. Intermittent demand has much of its probability at
/// zero, which a centre and two sides cannot say: there the members' own quantiles are combined as they are.
pub(crate) fn combined_quantile(
    class: Class,
    calibration: &Calibration,
    votes: &[Vote<'_>],
    step: usize,
    (level, score): (f64, f64),
    band: Band,
) -> f64 {
    if class == Class::Intermittent {
        vote(votes, &mut Vec::with_capacity(votes.len()), |forecast| forecast.quantile(step, level))
    } else {
        calibration.quantile(step, score, band)
    }
}
