//! Frequencies, timestamps and regular time grids.
//!
//! Times are [`Micros`]: microseconds since 1970-01-01T00:00:00 in the proleptic Gregorian calendar, UTC.

mod align;
mod frequency;
mod infer;
mod stamp;

pub use align::{AlignError, Aligned, align};
pub use frequency::{Frequency, FrequencyError};
pub use infer::{FrequencyConflict, NotInferred, Regularity, check_frequency, infer_frequency};
pub use stamp::{MAX_MICROS, MIN_MICROS, Stamp, parse_timestamp, write_iso8601, write_pandas};

/// Microseconds since 1970-01-01T00:00:00 (proleptic Gregorian, UTC).
pub type Micros = i64;
