//! Aligns series to regular grids.

use crate::phase::Lattice;
use crate::{Frequency, Micros};

/// A series on a regular grid: value `i` belongs to `frequency.advance(start, i)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Aligned {
    /// Stamp of the first step.
    pub start: Micros,
    /// One value per step; NaN if the input has no row for the step, or a NaN.
    pub values: Vec<f64>,
    /// Number of steps without a row.
    pub missing: usize,
    /// Number of rows whose stamp lay off its step.
    pub snapped: usize,
    /// Number of rows on the same step as a later row, whose value was kept.
    pub merged: usize,
}

/// Why a series does not fit on a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlignError {
    /// More than one row in ten shares its step with a later one.
    Conflict {
        /// Number of such rows.
        merged: usize,
    },
    /// The grid would have more steps than allowed.
    TooManySteps {
        /// Number of steps it would have.
        steps: u64,
    },
}

/// Aligns a series (ascending stamps, values with NaN for null, both of the same length) to the grid of `frequency`.
///
/// Stamps off the grid are snapped: to the nearest step for seconds to weeks, into their period for months to years,
/// from a weekend back to the Friday for business days. An empty series gives an empty grid that starts at 0.
///
/// # Errors
/// If the stamps contradict the frequency, or the grid would have more than `max_steps` steps.
pub fn align(
    timestamps: &[Micros],
    values: &[f64],
    frequency: Frequency,
    max_steps: usize,
) -> Result<Aligned, AlignError> {
    let (Some(first), Some(last)) = (timestamps.first(), timestamps.last()) else {
        return Ok(Aligned { start: 0, values: Vec::new(), missing: 0, snapped: 0, merged: 0 });
    };
    let lattice = Lattice::of(timestamps, frequency);
    let origin = lattice.index(*first);
    let steps = lattice.index(*last) - origin + 1;
    if steps as u64 > max_steps as u64 {
        return Err(AlignError::TooManySteps { steps: steps as u64 });
    }
    let mut grid = vec![f64::NAN; steps as usize];
    let (mut snapped, mut merged, mut previous) = (0, 0, None);
    for (stamp, value) in timestamps.iter().zip(values) {
        let index = lattice.index(*stamp);
        snapped += usize::from(lattice.stamp(index) != *stamp);
        merged += usize::from(previous == Some(index));
        previous = Some(index);
        grid[(index - origin) as usize] = *value;
    }
    if merged * 10 > timestamps.len() {
        return Err(AlignError::Conflict { merged });
    }
    Ok(Aligned {
        start: lattice.stamp(origin),
        missing: grid.len() - (timestamps.len() - merged),
        values: grid,
        snapped,
        merged,
    })
}
