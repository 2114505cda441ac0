//! The time column, for splits in order of time.

use tabcast_calendar::parse_timestamp;
use tabcast_table::{ContentError, Frame, FrameColumn, Kind, TextColumn, Warning, shorten};

use crate::Failure;

/// One number per row that grows with time; NaN if the row has no time, with a warning about the number of such rows.
/// Numeric columns are used unchanged.
pub(crate) fn times_of(
    frame: &Frame,
    column: usize,
    rows: &[u32],
) -> Result<(Vec<f64>, Option<Warning>), Failure> {
    let times: Vec<f64> = match &frame.columns[column] {
        FrameColumn::Numbers(values) => rows.iter().map(|&row| values[row as usize]).collect(),
        FrameColumn::Texts(texts) => {
            let times: Result<_, Failure> =
                rows.iter().map(|&row| time_of(texts, frame, column, row)).collect();
            times?
        }
    };
    let name = shorten(&frame.names[column]);
    let missing = times.iter().filter(|time| time.is_nan()).count() as u64;
    if missing == times.len() as u64 {
        let message = format!("No labelled row has a time in the time column '{name}'");
        return Err(ContentError::new("empty_time_column", Kind::Content, message)
            .column(name)
            .count(missing)
            .suggestion(
                "Fill the column, name another time_column, or leave it out: rows have no order then.",
            )
            .into());
    }
    let warning = (missing > 0).then(|| Warning {
        code: "rows_without_time".into(),
        message: format!("Rows without a time in '{name}' are taken to be earlier than all others"),
        count: missing,
    });
    Ok((times, warning))
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
