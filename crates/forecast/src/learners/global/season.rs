//! Which seasons the rows of a panel are made by.

use crate::run::plan::Plan;

/// Cycles that the median history must have.
const CYCLES: usize = 2;

/// The main season and a longer one, which is the same where there is none.
pub(crate) fn of(lengths: &[usize], plan: &Plan) -> (usize, usize) {
    let mut lengths = lengths.to_vec();
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    let mut fitting = plan.periods.iter().copied().filter(|&period| period > 1 && median >= CYCLES * period);
    let season = fitting.next().unwrap_or(1);
    (season, fitting.next_back().unwrap_or(season))
}
