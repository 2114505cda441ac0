//! The time column, by which rows are split when that is asked for.

use tabcast_calendar::parse_timestamp;
use tabcast_table::{ContentError, Frame, FrameColumn, Kind, TextColumn, shorten};

use crate::Failure;

/// A number a row that grows with time; NaN where there is none. Numbers are taken as they are.
pub(crate) fn times_of(frame: &Frame, column: usize, rows: &[u32]) -> Result<Vec<f64>, Failure> {
    match &frame.columns[column] {
        FrameColumn::Numbers(values) => Ok(rows.iter().map(|&row| values[row as usize]).collect()),
        FrameColumn::Texts(texts) => rows.iter().map(|&row| time_of(texts, frame, column, row)).collect(),
    }
}

fn time_of(texts: &TextColumn, frame: &Frame, column: usize, row: u32) -> Result<f64, Failure> {
    let Some(text) = texts.get(row as usize) else { return Ok(f64::NAN) };
    if let Some(stamp) = parse_timestamp(text.trim().as_bytes()) {
        return Ok(stamp.micros as f64);
    }
    let name = shorten(&frame.names[column]);
    let message = format!("'{}' in the time column '{name}' is no time", shorten(text));
    Err(ContentError::new("unparseable_timestamp", Kind::Content, message)
        .column(name)
        .row(u64::from(row) + 1)
        .suggestion(
            "Use ISO 8601, such as 2026-01-31 or 2026-01-31 14:00:00, or numbers that grow with time.",
        )
        .into())
}
