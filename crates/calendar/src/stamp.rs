//! Data timestamps as text.
use crate::Micros;

/// 0001-01-01T00:00:00, the earliest accepted stamp.
pub const MIN_MICROS: Micros = -62_135_596_800_000_000;
/// 9999-12-31T23:59:59.999999, the latest accepted stamp.
pub const MAX_MICROS: Micros = 253_402_300_799_999_999;

/// A parsed timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The instant, after the offset was taken away; a stamp without offset is taken as UTC.
    pub micros: Micros,
    /// The offset that was written, in seconds east of UTC; `None` when none was written.
    pub offset_seconds: Option<i32>,
}

/// Parses a timestamp; `None` when it is not one of the accepted forms or its year is not in 1..=9999.
pub fn parse_timestamp(_text: &[u8]) -> Option<Stamp> {
    unimplemented!()
}

/// Appends `YYYY-MM-DD hh:mm:ss`, and the fraction when there is one.
pub fn write_pandas(_micros: Micros, _out: &mut Vec<u8>) {
    unimplemented!()
}

/// Appends `YYYY-MM-DDThh:mm:ss+00:00`, with the fraction when there is one.
pub fn write_iso8601(_micros: Micros, _out: &mut Vec<u8>) {
    unimplemented!()
}
