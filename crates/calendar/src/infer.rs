//! Frequency of a panel.
use crate::{Frequency, Micros};

/// How well a panel keeps to its frequency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Regularity {
    /// The frequency, with the anchor that the data has.
    pub frequency: Frequency,
    /// Gaps between neighbouring stamps of one series, over all series.
    pub gaps: u64,
    /// Gaps that are not one step; a caller warns `irregular_gaps` with this count when it is not zero.
    pub irregular: u64,
}

/// No step explains nine gaps in ten.
#[derive(Debug, Clone, PartialEq)]
pub struct NotInferred {
    /// Gaps between neighbouring stamps of one series, over all series.
    pub gaps: u64,
    /// The step that explains most gaps, if any step can be named.
    pub best: Option<Frequency>,
    /// The share of gaps that it explains, 0 to 1.
    pub agreement: f64,
}

/// The data does not keep to the frequency that was given.
#[derive(Debug, Clone, PartialEq)]
pub struct FrequencyConflict {
    /// What is wrong, as a sentence.
    pub message: String,
    /// The frequency that the data suggests, if it can be inferred.
    pub inferred: Option<Frequency>,
}

/// Infers the frequency of a panel: series `i` has the ascending stamps `timestamps[offsets[i]..offsets[i + 1]]`.
///
/// # Errors
/// When fewer than 90 % of the gaps are one step of the best frequency.
pub fn infer_frequency(_timestamps: &[Micros], _offsets: &[usize]) -> Result<Regularity, NotInferred> {
    unimplemented!()
}

/// Checks a given frequency against a panel; the anchor of the result is the data's.
///
/// # Errors
/// When the data contradicts the frequency.
pub fn check_frequency(
    _given: Frequency,
    _timestamps: &[Micros],
    _offsets: &[usize],
) -> Result<Regularity, FrequencyConflict> {
    unimplemented!()
}
