//! Frequencies.
use std::fmt;

use crate::Micros;

/// A step of time: a unit, its anchor and a multiple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Frequency {
    multiple: u32,
}

/// A text that is not a frequency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrequencyError(pub String);

impl fmt::Display for FrequencyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for FrequencyError {}

impl Frequency {
    /// Parses a pandas alias, old or new style, with anchor and multiple.
    ///
    /// # Errors
    /// When the text is not an alias, or its unit is finer than a second.
    pub fn parse(_text: &str) -> Result<Frequency, FrequencyError> {
        unimplemented!()
    }

    /// The canonical new-style alias.
    pub fn alias(&self) -> String {
        unimplemented!()
    }

    /// Steps of the main season; 1 when there is none.
    pub fn season_length(&self) -> usize {
        unimplemented!()
    }

    /// Steps of every usual season, shortest first; empty when there is none.
    pub fn season_lengths(&self) -> Vec<usize> {
        unimplemented!()
    }

    /// The stamp `steps` steps after (before, when negative) `from`.
    pub fn advance(&self, _from: Micros, _steps: i64) -> Micros {
        unimplemented!()
    }
}
