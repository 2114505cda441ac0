//! Positions of a season that are always zero: the days on which a shop is closed, the hours without sun.
//!
//! A run of zeros at a position is a rule if it would hardly occur by chance. The test takes the share of zeros at the
//! other positions to the power of the number of zeros in the run, and sums these probabilities over all positions.

use crate::history::History;
use crate::run::plan::Plan;

/// The probability of mistaking chance for a rule.
const CHANCE: f64 = 0.01;
/// Minimum number of zeros at a position.
const LEAST: usize = 2;

/// Whether each step of the horizon after the first `length` values is always zero. A step is not closed if a flag has
/// a value there that it did not have on the earlier zeros: a shop that opens on one Sunday sells.
pub(crate) fn closed_steps(history: &History, length: usize, plan: &Plan) -> Vec<bool> {
    let mut closed = vec![false; plan.horizon];
    let observed = |at: usize| history.observed.get(at).copied().unwrap_or(true);
    for &period in &plan.periods {
        let places = closed_places(&history.values[..length], observed, period);
        for (step, closed) in closed.iter_mut().enumerate() {
            *closed |= places.get((length + step) % period).is_some_and(|closed| *closed)
                && is_covered(history, length, step, period);
        }
    }
    closed
}

/// Number of values at positions that are not always zero.
pub(crate) fn open_values(values: &[f64], periods: &[usize]) -> usize {
    let mut open = vec![true; values.len()];
    for &period in periods {
        let places = closed_places(values, |_| true, period);
        for (at, open) in open.iter_mut().enumerate() {
            *open &= !places.get(at % period).is_some_and(|closed| *closed);
        }
    }
    open.into_iter().filter(|open| *open).count()
}

/// Whether each position of a season, counted from the first value, is always zero; empty if none is or the data cannot
/// tell.
fn closed_places(values: &[f64], observed: impl Fn(usize) -> bool, period: usize) -> Vec<bool> {
    let zeros = values.iter().filter(|value| **value == 0.0).count();
    if period < 2 || values.len() < LEAST * period || zeros == 0 || zeros == values.len() {
        return Vec::new();
    }
    let mut places = vec![(0, 0); period];
    for (at, value) in values.iter().enumerate().filter(|(at, _)| observed(*at)) {
        let (zeros, seen) = &mut places[at % period];
        *zeros += usize::from(*value == 0.0);
        *seen += 1;
    }
    // Other closed positions say nothing about chance.
    let open = places.iter().filter(|(zeros, seen)| zeros < seen);
    let (zeros, seen) = open.fold((0, 0), |(zeros, seen), place| (zeros + place.0, seen + place.1));
    let share = (zeros as f64 + 1.0) / (seen as f64 + 2.0);
    let by_chance = |seen: usize| share.powf(seen as f64) * period as f64;
    places.iter().map(|&(zeros, seen)| zeros == seen && seen >= LEAST && by_chance(seen) <= CHANCE).collect()
}

/// Whether every flag among the covariates had, at some zero of this position, the value it has at the step.
fn is_covered(history: &History, length: usize, step: usize, period: usize) -> bool {
    let at = length + step;
    let is_flag = |column: &&Vec<f64>| column.iter().all(|value| *value == 0.0 || *value == 1.0);
    let is_known = |column: &Vec<f64>| {
        let mut before = (at % period..length).step_by(period).map(|at| column[at]);
        column.get(at).is_none_or(|ahead| before.any(|value| value == *ahead))
    };
    history.regressors.iter().filter(is_flag).all(is_known)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::history::outliers::tests::plan;

    /// The closed steps after `count` days, of which those in `closed` are zero.
    fn closed_after(count: usize, closed: &[usize], regressors: Vec<Vec<f64>>) -> Vec<bool> {
        let values = (0..count).map(|t| if closed.contains(&(t % 7)) { 0.0 } else { 5.0 }).collect();
        closed_steps(&History { values, regressors, ..History::default() }, count, &plan("D"))
    }

    #[test]
    fn a_weekday_that_was_always_zero_stays_zero() {
        assert_eq!(closed_after(28, &[2], Vec::new()), [false, false, true, false, false, false]);
        assert_eq!(closed_after(30, &[0, 2], Vec::new()), [true, false, false, false, false, true]);
    }

    #[test]
    fn a_few_zeros_in_sparse_demand_are_chance() {
        let values = (0..60).map(|t| f64::from(t % 5 == 0)).collect();
        let history = History { values, ..History::default() };
        assert!(!closed_steps(&history, 60, &plan("D")).contains(&true));
        assert!(!closed_after(8, &[2], Vec::new()).contains(&true));
    }

    #[test]
    fn a_day_with_a_flag_that_it_never_had_is_open() {
        let mut open: Vec<f64> = (0..34).map(|t| f64::from(t % 7 != 2)).collect();
        assert!(closed_after(28, &[2], vec![open.clone()])[2]);
        open[30] = 1.0;
        assert!(!closed_after(28, &[2], vec![open])[2]);
    }

    proptest! {
        #[test]
        fn only_places_that_were_always_zero_are_closed(
            values in prop::collection::vec(prop_oneof![Just(0.0), 1.0..9.0_f64], 7..90),
        ) {
            let history = History { values, ..History::default() };
            let count = history.values.len();
            for (step, closed) in closed_steps(&history, count, &plan("D")).into_iter().enumerate() {
                let mut before = ((count + step) % 7..count).step_by(7).map(|at| history.values[at]);
                prop_assert!(!closed || before.all(|value| value == 0.0));
            }
        }
    }
}
