//! Fills steps without a value.

use crate::MissingHandling;
use crate::panel::mean;

/// Fills every NaN from its neighbours; at the ends, from the only neighbour. Returns the number filled; zero for
/// methods that fill nothing, and for a series without values.
pub(crate) fn fill(values: &mut [f64], missing: MissingHandling) -> u64 {
    let known = values.iter().filter(|value| !value.is_nan()).count();
    let left = (values.len() - known) as u64;
    if known == 0 || left == 0 {
        return 0;
    }
    match missing {
        MissingHandling::Drop | MissingHandling::None => return 0,
        MissingHandling::Zero => put(values, 0.0),
        MissingHandling::Mean => put(values, mean(values.iter().copied())),
        MissingHandling::Ffill => between(values, |before, _, _| before),
        MissingHandling::Bfill => between(values, |_, after, _| after),
        MissingHandling::Interpolate => interpolate(values),
    }
    left
}

/// Interpolates NaN values linearly, and repeats the nearest value at the ends.
pub(crate) fn interpolate(values: &mut [f64]) {
    between(values, |before, after, share| before + (after - before) * share);
}

fn put(values: &mut [f64], value: f64) {
    values.iter_mut().filter(|value| value.is_nan()).for_each(|missing| *missing = value);
}

/// Fills NaN values by `value` of the known neighbours and the position between them, 0 to 1.
fn between(values: &mut [f64], value: impl Fn(f64, f64, f64) -> f64) {
    let mut before: Option<usize> = None;
    let mut at = 0;
    while at < values.len() {
        if !values[at].is_nan() {
            before = Some(at);
            at += 1;
            continue;
        }
        let after = (at..values.len()).find(|place| !values[*place].is_nan());
        let end = after.unwrap_or(values.len());
        let (first, second) = match (before, after) {
            (Some(before), Some(after)) => (values[before], values[after]),
            (Some(before), None) => (values[before], values[before]),
            (None, Some(after)) => (values[after], values[after]),
            (None, None) => return,
        };
        let from = before.map_or(at as f64 - 1.0, |before| before as f64);
        for (step, missing) in values[at..end].iter_mut().enumerate() {
            *missing = value(first, second, ((at + step) as f64 - from) / (end as f64 - from));
        }
        at = end;
    }
}
