//! What the members of a series say together.

use tabcast_models::Forecast;

use crate::combine::weighted_median;

/// A member's forecast and how much it counts; the weight is positive.
#[derive(Debug)]
pub(crate) struct Vote<'a> {
    pub(crate) forecast: &'a Forecast,
    pub(crate) weight: f64,
}

/// What the votes say together about what `value` reads off each: the average of their weighted mean, which uses every vote,
/// and their weighted median, which no single vote can move far. `room` is working storage.
pub(crate) fn combined(
    votes: &[Vote<'_>],
    room: &mut Vec<(f64, f64)>,
    value: impl Fn(&Forecast) -> f64,
) -> f64 {
    room.clear();
    room.extend(votes.iter().map(|vote| (value(vote.forecast), vote.weight)));
    let total: f64 = votes.iter().map(|vote| vote.weight).sum();
    let mean = room.iter().map(|(value, weight)| value * (weight / total)).sum::<f64>();
    f64::midpoint(mean, weighted_median(room))
}

/// The combined mean of a step.
pub(crate) fn combined_mean(votes: &[Vote<'_>], step: usize, room: &mut Vec<(f64, f64)>) -> f64 {
    combined(votes, room, |forecast| forecast.mean[step])
}
