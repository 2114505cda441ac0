//! Faulty cells, counted while reading continues.

use crate::{Columns, ContentError, Kind, shorten};

/// The faults of a row, by priority: if a file has several, the first listed is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    RaggedRow,
    MissingItemId,
    MissingHierarchyValue,
    SeparatorInHierarchy,
    TotalLabelTaken,
    UnparseableTimestamp,
    TimestampOutOfRange,
    NonNumericTarget,
    NonFiniteTarget,
}

const KINDS: [Fault; 9] = [
    Fault::RaggedRow,
    Fault::MissingItemId,
    Fault::MissingHierarchyValue,
    Fault::SeparatorInHierarchy,
    Fault::TotalLabelTaken,
    Fault::UnparseableTimestamp,
    Fault::TimestampOutOfRange,
    Fault::NonNumericTarget,
    Fault::NonFiniteTarget,
];

/// The accepted forms of timestamps, and two frequent forms that are not accepted.
const TIMESTAMP_FORMS: &str = "Write timestamps as 2026-01-31, 2026-01-31 13:45:00 or 2026-01-31T13:45:00+01:00 \
    (also with '/' between year, month and day), 20260131, 2026-01, 2026, 2026Q1, 2026-W05, 31 Jan 2026, or as a Unix time in \
    whole seconds, milliseconds, microseconds or nanoseconds. 31.01.2026 and 01/31/2026 are read, too, if the whole column \
    is written like that, from its first row on, with four digits for the year. Each day has to exist in its month.";

/// Number of rows remembered per kind of fault.
pub(crate) const SAMPLED: usize = 5;

/// The occurrences of one kind of fault.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) count: u64,
    /// The first few, 0-based.
    pub(crate) rows: Vec<u64>,
    /// The text of the first of them.
    cell: String,
    /// The level of the hierarchy, if the fault is in a hierarchy column.
    level: usize,
}

/// Count and first rows of every kind of fault.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    found: [Option<Found>; KINDS.len()],
    /// Every faulty row of the batch, once per fault.
    rows: Vec<u32>,
}

impl Faults {
    /// Notes a fault; rows must come in ascending order.
    pub(crate) fn note(&mut self, fault: Fault, row: u64, cell: &[u8]) {
        self.note_level((fault, 0), row, cell);
    }

    /// Notes a fault in a column of the hierarchy.
    pub(crate) fn note_level(&mut self, (fault, level): Refused, row: u64, cell: &[u8]) {
        self.rows.push(row as u32);
        match &mut self.found[fault as usize] {
            Some(found) => {
                found.count += 1;
                if found.rows.len() < SAMPLED {
                    found.rows.push(row);
                }
            }
            free => {
                let cell = shorten(&String::from_utf8_lossy(cell)).into_owned();
                *free = Some(Found { count: 1, rows: vec![row], cell, level });
            }
        }
    }

    /// The rows of the batch that were left out for a fault, ascending.
    pub(crate) fn rows(&self) -> Vec<u32> {
        let mut rows = self.rows.clone();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Adds the faults of rows that follow all rows so far; `before` is the number of rows before them.
    pub(crate) fn append(&mut self, later: &mut Faults, before: u64) {
        for (known, mut new) in self.found.iter_mut().zip(std::mem::take(&mut later.found)) {
            new.iter_mut().flat_map(|new| &mut new.rows).for_each(|row| *row += before);
            match (known, new) {
                (_, None) => {}
                (Some(known), Some(new)) => {
                    known.count += new.count;
                    known.rows.extend(new.rows);
                    known.rows.truncate(SAMPLED);
                }
                (free, new) => *free = new,
            }
        }
    }

    /// The error to report, if there is any fault.
    pub(crate) fn into_error(self, columns: &Columns) -> Option<ContentError> {
        self.into_errors(columns).into_iter().next().map(|(error, _)| error)
    }

    /// The error for each kind of fault found, with its first rows. Rows are 1-based.
    pub(crate) fn into_errors(self, columns: &Columns) -> Vec<(ContentError, Vec<u64>)> {
        let found = KINDS.into_iter().zip(self.found);
        found.filter_map(|(fault, found)| found.map(|found| found.into_error(fault, columns))).collect()
    }
}

impl Found {
    fn into_error(mut self, fault: Fault, columns: &Columns) -> (ContentError, Vec<u64>) {
        self.rows.iter_mut().for_each(|row| *row += 1);
        (error(fault, &self, columns), self.rows)
    }

    /// The number of rows, with their verb.
    fn counted_rows(&self) -> String {
        if self.count == 1 { "1 row has".to_owned() } else { format!("{} rows have", self.count) }
    }

    /// The first rows, as listed in a message.
    fn listed_rows(&self) -> String {
        let listed = self.rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let more = if self.count > self.rows.len() as u64 { " and more" } else { "" };
        format!("{}{listed}{more}", if self.count == 1 { "data row " } else { "data rows " })
    }
}

/// A faulty cell in a required column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongCell {
    /// An empty item id.
    ItemId,
    /// Not a timestamp.
    Timestamp,
    /// A target that is not a number.
    Target,
    /// An infinite target.
    InfiniteTarget,
}

/// The readers' error for `count` rows with such a cell; the first of them is data row `row`, 1-based, with the text
/// `cell`.
pub fn wrong_cells(wrong: WrongCell, count: u64, row: u64, cell: &str, columns: &Columns) -> ContentError {
    let fault = match wrong {
        WrongCell::ItemId => Fault::MissingItemId,
        WrongCell::Timestamp => Fault::UnparseableTimestamp,
        WrongCell::Target => Fault::NonNumericTarget,
        WrongCell::InfiniteTarget => Fault::NonFiniteTarget,
    };
    let found = Found { count, rows: vec![row], cell: shorten(cell).into_owned(), level: 0 };
    error(fault, &found, columns)
}

/// The error for one kind of fault; rows are 1-based.
fn error(fault: Fault, found: &Found, columns: &Columns) -> ContentError {
    let (row, count, cell) = (found.rows[0], found.count, &found.cell);
    let rows = found.counted_rows();
    // A failed job has no field for the column, so the message names it.
    let place = |column: &str| format!("data row {row} of column '{column}'");
    let error = |code, message: String| ContentError::new(code, Kind::Content, message).row(row).count(count);
    match fault {
        Fault::RaggedRow => error(
            "ragged_row",
            format!("{rows} more or fewer cells than the header; the first is data row {row}, with {cell} cells"),
        )
        .suggestion("Quote cells that contain the delimiter, and give every row the same number of cells."),
        Fault::MissingItemId => {
            let message = format!("{rows} no item id; the first is {}", place(&columns.item_id));
            error("missing_item_id", message).column(&columns.item_id).suggestion("Give every row the id of its item.")
        }
        Fault::MissingHierarchyValue | Fault::SeparatorInHierarchy | Fault::TotalLabelTaken => {
            hierarchy_error(fault, found, columns)
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
    }
}

/// The error for a fault in the columns of a hierarchy.
fn hierarchy_error(fault: Fault, found: &Found, columns: &Columns) -> ContentError {
    let level = columns.levels().get(found.level).map_or("", String::as_str);
    let (separator, total_label) = columns
        .hierarchy
        .as_ref()
        .map_or(("", ""), |hierarchy| (&hierarchy.separator, &hierarchy.total_label));
    let cell = &found.cell;
    let (code, what, suggestion) = match fault {
        Fault::SeparatorInHierarchy => (
            "separator_in_hierarchy",
            format!(
                "a hierarchy value that contains the separator '{separator}', or runs into it; the first is '{cell}' in"
            ),
            "Set separator to a text that is in no value, or change the values.",
        ),
        Fault::TotalLabelTaken => (
            "total_label_taken",
            format!("a node with the id '{}', which is the total_label; the first is", shorten(total_label)),
            "Set total_label to the id of no other node, or change the values.",
        ),
        _ => (
            "missing_hierarchy_value",
            "no value in a hierarchy column; the first is".to_owned(),
            "Give every row a value in every hierarchy column, or leave the column out of hierarchy_columns.",
        ),
    };
    let (rows, row) = (found.counted_rows(), found.rows[0]);
    let message = format!("{rows} {what} data row {row} of column '{level}'; {}", found.listed_rows());
    ContentError::new(code, Kind::Content, message)
        .row(row)
        .count(found.count)
        .column(level)
        .suggestion(suggestion)
}

/// A fault in a hierarchy value, with its level from the top, because of which the row has no series.
pub(crate) type Refused = (Fault, usize);
