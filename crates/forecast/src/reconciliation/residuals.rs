//! Errors of the base forecasts on stretches of history that are held back from all nodes alike.

use rayon::prelude::*;

use crate::run::forecaster::Forecaster;
use crate::run::stages;
use crate::{Control, Failure};

/// A stretch needs at least this many values before it.
const SHORTEST_PAST: usize = 6;
/// Maximum number of errors kept per node, spread evenly over the steps: the work grows with its square.
const MOST_COLUMNS: usize = 256;
/// Maximum number of errors kept for all nodes together.
const MOST_ERRORS: usize = 32_000_000;

/// Errors of all nodes, one row per node, divided by the square root of the steps ahead so that all have the spread of
/// one step; NaN where a history is too short.
#[derive(Debug)]
pub(super) struct HeldBack {
    pub(super) errors: Vec<f64>,
    pub(super) columns: usize,
    pub(super) windows: usize,
}

/// Why there are no errors.
pub(super) enum Missing {
    TooShort { needed: usize, found: usize },
    NoTime,
}

/// Forecasts the last `windows` horizons of all histories, each from the values before it.
///
/// # Errors
///
/// [`Failure::Cancelled`].
pub(super) fn hold_back(
    forecaster: &Forecaster<'_>,
    windows: usize,
    longest: usize,
    nodes: usize,
    control: &Control,
) -> Result<Result<HeldBack, Missing>, Failure> {
    let horizon = forecaster.plan().horizon;
    let needed = windows * horizon + SHORTEST_PAST.max(horizon);
    if longest < needed {
        return Ok(Err(Missing::TooShort { needed, found: longest }));
    }
    control.enter_units(stages::FIT, nodes * (windows + 1));
    let steps: Vec<usize> = kept_steps(windows * horizon, nodes);
    let rows: Vec<Option<Vec<f64>>> = (0..nodes)
        .into_par_iter()
        .map(|node| {
            forecaster.errors_before(node, windows, SHORTEST_PAST).map(|errors| {
                errors.map(|errors| {
                    steps.iter().map(|&step| errors[step] / ((step % horizon + 1) as f64).sqrt()).collect()
                })
            })
        })
        .collect::<Result<_, _>>()?;
    let columns = steps.len();
    let mut errors = Vec::with_capacity(nodes * columns);
    for row in rows {
        match row {
            Some(row) => errors.extend(row),
            None => return Ok(Err(Missing::NoTime)),
        }
    }
    // The unit does not matter, and squares of very large or small errors would overflow or underflow.
    let largest =
        errors.iter().filter(|error| error.is_finite()).fold(0.0, |most: f64, error| most.max(error.abs()));
    if largest > 0.0 {
        for error in &mut errors {
            *error /= largest;
        }
    }
    Ok(Ok(HeldBack { errors, columns, windows }))
}

/// All steps if there are few, otherwise evenly spread ones.
fn kept_steps(all: usize, nodes: usize) -> Vec<usize> {
    let most = MOST_COLUMNS.min(MOST_ERRORS / nodes.max(1)).clamp(2, all.max(2)).min(all);
    (0..most).map(|place| place * all / most).collect()
}
