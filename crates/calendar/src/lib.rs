//! Frequencies, timestamps and regular time grids.
//!
//! Times are [`Micros`]: microseconds since 1970-01-01T00:00:00 in the proleptic Gregorian calendar, UTC.
//!
//! ```
//! use tabcast_calendar::{Frequency, infer_frequency, parse_timestamp};
//!
//! let at = |text: &str| parse_timestamp(text.as_bytes()).unwrap().micros;
//! let stamps = ["2026-01-31", "2026-02-28", "2026-03-31"].map(at);
//! let monthly = infer_frequency(&stamps, &[0, 3]).unwrap().frequency;
//! assert_eq!(monthly.alias(), "ME");
//! assert_eq!(monthly.advance(stamps[2], 1), at("2026-04-30"));
//! assert_eq!(Frequency::parse("15T").unwrap().season_lengths(), [96, 672]);
//! ```

mod advance;
mod alias;
mod align;
mod civil;
mod civil_time;
mod cursor;
mod frequency;
mod gaps;
mod infer;
mod most_steps;
mod named;
mod order;
mod parse;
mod period;
mod phase;
mod print;
mod season;
mod stamp;

pub use alias::FrequencyError;
pub use align::{AlignError, Aligned, align};
pub use civil_time::CivilTime;
pub use frequency::{Edge, Frequency, Unit};
pub use gaps::most_frequent_gap;
pub use infer::{FrequencyConflict, NotInferred, Regularity, check_frequency, infer_frequency};
pub use most_steps::most_steps;
pub use order::{DateOrder, DateOrders, Decision};
pub use parse::{is_finer_than_micros, parse_plain_timestamp, parse_timestamp, parse_timestamp_in};
pub use period::Periods;
pub use phase::Lattice;
pub use print::{write_iso8601, write_pandas};
pub use stamp::{MAX_MICROS, MIN_MICROS, Stamp};

/// Microseconds since 1970-01-01T00:00:00 (proleptic Gregorian, UTC).
pub type Micros = i64;

pub(crate) const SECOND: Micros = 1_000_000;
pub(crate) const MINUTE: Micros = 60 * SECOND;
pub(crate) const HOUR: Micros = 60 * MINUTE;
pub(crate) const DAY: Micros = 24 * HOUR;
pub(crate) const WEEK: Micros = 7 * DAY;
