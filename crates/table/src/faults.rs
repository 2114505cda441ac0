//! Wrong cells, counted while reading goes on.

use crate::{Columns, ContentError, Kind, shorten};

/// What can be wrong with a row; when a file has several, the first listed is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    RaggedRow,
    MissingItemId,
    UnparseableTimestamp,
    TimestampOutOfRange,
    NonNumericTarget,
    NonFiniteTarget,
}

const KINDS: [Fault; 6] = [
    Fault::RaggedRow,
    Fault::MissingItemId,
    Fault::UnparseableTimestamp,
    Fault::TimestampOutOfRange,
    Fault::NonNumericTarget,
    Fault::NonFiniteTarget,
];

/// What a sender may write, with two frequent forms that are not among it.
const TIMESTAMP_FORMS: &str = "Write timestamps as 2026-01-31, 2026-01-31 13:45:00 or 2026-01-31T13:45:00+01:00 \
    (also with '/' between year, month and day), 20260131, 2026-01, 2026, or as a Unix time in whole seconds, \
    milliseconds, microseconds or nanoseconds; forms like 31.01.2026, 01/31/2026 or 2026Q1 are not read.";

#[derive(Debug)]
struct Found {
    count: u64,
    first_row: u64,
    cell: String,
}

/// Count and first row of every kind of fault.
#[derive(Debug, Default)]
pub(crate) struct Faults([Option<Found>; KINDS.len()]);

impl Faults {
    /// Notes a fault; rows must come in ascending order.
    pub(crate) fn note(&mut self, fault: Fault, row: u64, cell: &[u8]) {
        match &mut self.0[fault as usize] {
            Some(found) => found.count += 1,
            free => {
                let cell = shorten(&String::from_utf8_lossy(cell)).into_owned();
                *free = Some(Found { count: 1, first_row: row, cell });
            }
        }
    }

    /// Adds the faults of rows that come after all rows so far; `before` is how many rows lie before theirs.
    pub(crate) fn append(&mut self, later: Faults, before: u64) {
        for (known, new) in self.0.iter_mut().zip(later.0) {
            match (known, new) {
                (_, None) => {}
                (Some(known), Some(new)) => known.count += new.count,
                (free, Some(new)) => *free = Some(Found { first_row: new.first_row + before, ..new }),
            }
        }
    }

    /// The error to report, if there is any fault. Rows are numbered from 1.
    pub(crate) fn into_error(self, columns: &Columns) -> Option<ContentError> {
        let (fault, found) =
            KINDS.into_iter().zip(self.0).find_map(|(fault, found)| Some((fault, found?)))?;
        let (row, count, cell) = (found.first_row + 1, found.count, found.cell);
        let rows = if count == 1 { "1 row has".to_owned() } else { format!("{count} rows have") };
        // A failed job has no field for the column, so its sentence names it.
        let place = |column: &str| format!("data row {row} of column '{column}'");
        let error =
            |code, message: String| ContentError::new(code, Kind::Content, message).row(row).count(count);
        Some(match fault {
            Fault::RaggedRow => error(
                "ragged_row",
                format!("{rows} more or fewer cells than the header; the first is data row {row}, with {cell} cells"),
            )
            .suggestion("Quote cells that contain the delimiter, and give every row the same number of cells."),
            Fault::MissingItemId => {
                let message = format!("{rows} no item id; the first is {}", place(&columns.item_id));
                error("missing_item_id", message).column(&columns.item_id).suggestion("Give every row the id of its item.")
            }
            Fault::UnparseableTimestamp => error(
                "unparseable_timestamp",
                format!("{rows} a timestamp that cannot be read; the first is '{cell}' in {}", place(&columns.timestamp)),
            )
            .column(&columns.timestamp)
            .suggestion(TIMESTAMP_FORMS),
            Fault::TimestampOutOfRange => error(
                "timestamp_out_of_range",
                format!("{rows} a timestamp outside the years 1 to 9999; the first is {}", place(&columns.timestamp)),
            )
            .column(&columns.timestamp)
            .suggestion("Check the unit of timestamps that are numbers."),
            Fault::NonNumericTarget => error(
                "non_numeric_target",
                format!("{rows} a target that is not a number; the first is '{cell}' in {}", place(&columns.target)),
            )
            .column(&columns.target)
            .suggestion("Write numbers with a decimal point and without thousands separators; leave missing values empty."),
            Fault::NonFiniteTarget => error(
                "non_finite_target",
                format!("{rows} a target that is infinite or too large; the first is '{cell}' in {}", place(&columns.target)),
            )
            .column(&columns.target)
            .suggestion("Leave the cell empty when the value is not known."),
        })
    }
}
