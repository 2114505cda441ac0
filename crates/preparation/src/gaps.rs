//! The values that the data's missing steps would have added to a sum over a longer step.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tabcast_calendar::{Frequency, Lattice, Micros, Periods};

use crate::aggregate::Combination;
use crate::fill::fill;
use crate::places::most_steps_of;
use crate::rows::Rows;
use crate::{Failure, MissingHandling};

/// For each series, by period with a row: the sum of the values filled in for missing steps, and their number.
pub(crate) type GapSums = Vec<HashMap<i64, (f64, u64)>>;

/// A day with data for seven hours is not a small day, so steps between the first and the last value of a series are
/// filled before they are summed. `zero` would add nothing, and `none` and `drop` leave gaps.
pub(crate) fn gap_sums(
    rows: &Rows,
    own: Frequency,
    periods: &Periods,
    (combination, missing): (Combination, MissingHandling),
    max_rows: u64,
    cancel: &AtomicBool,
) -> Result<GapSums, Failure> {
    let fills =
        [MissingHandling::Ffill, MissingHandling::Bfill, MissingHandling::Interpolate, MissingHandling::Mean];
    if !fills.contains(&missing) {
        return Ok(vec![HashMap::new(); rows.ids.len()]);
    }
    (0..rows.ids.len())
        .into_par_iter()
        .map(|series| {
            if cancel.load(Ordering::Relaxed) {
                return Err(Failure::Cancelled);
            }
            Ok(of_series(rows, series, own, periods, (combination, missing), max_rows))
        })
        .collect()
}

fn of_series(
    rows: &Rows,
    series: usize,
    own: Frequency,
    periods: &Periods,
    (combination, missing): (Combination, MissingHandling),
    max_rows: u64,
) -> HashMap<i64, (f64, u64)> {
    let mut sums: HashMap<i64, (f64, u64)> = HashMap::new();
    let (times, targets) = observed(rows, series, combination);
    if times.len() < 2 {
        return sums;
    }
    let lattice = Lattice::of(&times, own);
    let origin = lattice.index(times[0]);
    let length = lattice.index(times[times.len() - 1]) - origin + 1;
    // Rows off the data's steps, and gaps caused by a wrong timestamp, are left alone.
    let most = max_rows.min(most_steps_of(times.len()));
    if length <= times.len() as i64 || length as u64 > most {
        return sums;
    }
    let mut values = vec![f64::NAN; length as usize];
    for (time, target) in times.iter().zip(&targets) {
        values[(lattice.index(*time) - origin) as usize] = *target;
    }
    let known: Vec<bool> = values.iter().map(|value| !value.is_nan()).collect();
    fill(&mut values, missing);
    // A period without a row has no sum to increase, and a long gap contains many such periods.
    let with_rows: HashSet<i64> = rows.times[rows.offsets[series]..rows.offsets[series + 1]]
        .iter()
        .map(|time| periods.index(*time))
        .collect();
    for (at, value) in values.into_iter().enumerate().filter(|(at, _)| !known[*at]) {
        let period = periods.index(lattice.stamp(origin + at as i64));
        if with_rows.contains(&period) {
            let sum = sums.entry(period).or_default();
            *sum = (sum.0 + value, sum.1 + 1);
        }
    }
    sums
}

/// The distinct times of a series with a target, and their aggregated targets.
fn observed(rows: &Rows, series: usize, combination: Combination) -> (Vec<Micros>, Vec<f64>) {
    let range = rows.offsets[series]..rows.offsets[series + 1];
    let (times, targets) = (&rows.times[range.clone()], &rows.targets[range]);
    let mut from = 0;
    let moments = times.chunk_by(|left, right| left == right).map(|moment| {
        let value = combination.across().of(targets[from..from + moment.len()].iter().copied());
        from += moment.len();
        (moment[0], value)
    });
    moments.filter(|(_, value)| !value.is_nan()).unzip()
}
