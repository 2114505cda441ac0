//! Chooses the seasons of the rows of a panel.

use crate::run::plan::Plan;

/// Number of cycles that the median history must contain.
const CYCLES: usize = 2;

/// The main season and a longer one, equal to the main one if there is none.
pub(crate) fn of(lengths: &[usize], plan: &Plan) -> (usize, usize) {
    let mut lengths = lengths.to_vec();
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    let mut fitting = plan.periods.iter().copied().filter(|&period| period > 1 && median >= CYCLES * period);
    let season = fitting.next().unwrap_or(1);
    (season, fitting.next_back().unwrap_or(season))
}
