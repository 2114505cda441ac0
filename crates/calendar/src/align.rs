//! Regular grids.
use crate::{Frequency, Micros};

/// A series on a regular grid: value `i` belongs to `frequency.advance(start, i)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Aligned {
    /// Stamp of the first step.
    pub start: Micros,
    /// One value a step; NaN where the input has no row for the step, or a NaN.
    pub values: Vec<f64>,
    /// Steps without a row.
    pub missing: usize,
    /// Rows whose stamp lay beside its step.
    pub snapped: usize,
    /// Rows that fell on a step that a later row has as well; the later row's value was kept.
    pub merged: usize,
}

/// Why a series does not fit on a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlignError {
    /// More than one row in ten shares its step with another.
    Conflict {
        /// Rows that share a step.
        merged: usize,
    },
    /// The grid would have more steps than allowed.
    TooManySteps {
        /// Steps it would have.
        steps: u64,
    },
}

/// Puts a series (ascending stamps, values with NaN for null) on the grid of `frequency`.
///
/// # Errors
/// When the stamps contradict the frequency, or the grid would have more than `max_steps` steps.
pub fn align(
    _timestamps: &[Micros],
    _values: &[f64],
    _frequency: Frequency,
    _max_steps: usize,
) -> Result<Aligned, AlignError> {
    unimplemented!()
}
