//! What is known at the end of a day about a phase some days ahead.

use super::days::{BASE, Days, HALF_LIVES, LONG};
use super::short_memory::paths;

/// Weights of the same day of the last weeks.
const WEEKS: [f64; 4] = [1.0, 0.8, 0.64, 0.5];
/// Deviations from the long memory are clipped at this many usual sizes.
const FURTHEST: f64 = 15.0;
/// Number of stretches before the end of a day whose means are features.
const STRETCHES: usize = 7;
/// Number of features.
pub(super) const WIDTH: usize = HALF_LIVES.len() - 1 + 5 + STRETCHES;

/// The features of all days.
pub(super) struct Features<'a> {
    pub(super) days: &'a Days,
    week: usize,
    /// Means of the last deviations at the end of each day.
    stretches: Vec<[f64; STRETCHES]>,
    /// The path of the autoregression after each day, of `reach` steps.
    paths: Vec<f64>,
    reach: usize,
}

impl<'a> Features<'a> {
    pub(super) fn new(days: &'a Days, week: usize, horizon: usize) -> Self {
        let season = days.season;
        let deviations: Vec<f64> = days
            .values
            .iter()
            .zip(&days.usual[LONG])
            .zip(&days.inverse)
            .map(|((value, usual), inverse)| ((value - usual) * inverse).clamp(-FURTHEST, FURTHEST))
            .collect();
        let mut sums = vec![0.0];
        for deviation in &deviations {
            sums.push(sums[sums.len() - 1] + deviation);
        }
        let lengths = [
            1,
            (season / 48).max(1),
            (season / 12).max(1),
            (season / 4).max(1),
            season,
            3 * season,
            7 * season,
        ];
        let stretches = (1..=days.count)
            .map(|day| {
                let end = day * season;
                lengths.map(|length| {
                    let length = length.min(end);
                    (sums[end] - sums[end - length]) / length as f64
                })
            })
            .collect();
        let reach = horizon.min(season);
        Self { days, week, stretches, paths: paths(&deviations, season, reach), reach }
    }

    /// Adds the features of a phase `ahead` days after `day` to `out`, in usual sizes of the phase at that day.
    pub(super) fn write(&self, day: usize, ahead: usize, phase: usize, out: &mut Vec<f64>) {
        let Days { season, values, usual, inverse, .. } = self.days;
        let at = day * season + phase;
        let (base, inverse) = (usual[BASE][at], inverse[at]);
        let mut add = |value: f64| out.push((value - base) * inverse);
        for (number, usual) in usual.iter().enumerate() {
            if number != BASE {
                add(usual[at]);
            }
        }
        add(values[at]);
        add(values[at.checked_sub(*season).unwrap_or(at)]);
        let (mut sum, mut total, mut latest) = (0.0, 0.0, base);
        let back = ahead.div_ceil(self.week) * self.week;
        for (number, weight) in WEEKS.iter().enumerate() {
            let Some(same) = (day + ahead).checked_sub(back + number * self.week) else { break };
            let value = values[same * season + phase];
            if number == 0 {
                latest = value;
            }
            sum += weight * value;
            total += weight;
        }
        add(latest);
        add(if total > 0.0 { sum / total } else { base });
        let step = (ahead - 1) * season + phase;
        out.push(if step < self.reach { self.paths[day * self.reach + step] } else { 0.0 });
        out.extend(self.stretches[day]);
    }

    /// The deviation of a phase `ahead` days after `day` from its usual value at that day.
    pub(super) fn target(&self, day: usize, ahead: usize, phase: usize) -> f64 {
        let Days { season, values, usual, inverse, .. } = self.days;
        let at = day * season + phase;
        (values[at + ahead * season] - usual[BASE][at]) * inverse[at]
    }
}
