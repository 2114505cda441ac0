//! The checks and their outcomes.

use serde::Serialize;

use crate::{Columns, ContentError, shorten};

/// Number of row numbers in a check.
const SAMPLED: usize = 5;

/// A check, in the order of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
pub enum CheckName {
    /// Every requested column exists once, every row has all columns, and the hierarchy columns make valid ids.
    RequiredColumns,
    /// Every row has an item id or all values of the hierarchy, and every item a value; null targets are a warning.
    Nulls,
    /// Every target is a finite number or null.
    NumericTarget,
    /// No two rows have the same item and timestamp.
    Duplicates,
    /// Every timestamp is readable.
    Timestamps,
    /// Every item has at least two values.
    MinHistory,
    /// The timestamps have a frequency, or the given one.
    Frequency,
    /// No limit is exceeded.
    Volume,
}

const NAMES: [CheckName; 8] = [
    CheckName::RequiredColumns,
    CheckName::Nulls,
    CheckName::NumericTarget,
    CheckName::Duplicates,
    CheckName::Timestamps,
    CheckName::MinHistory,
    CheckName::Frequency,
    CheckName::Volume,
];

impl CheckName {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            CheckName::RequiredColumns => "required_columns",
            CheckName::Nulls => "nulls",
            CheckName::NumericTarget => "numeric_target",
            CheckName::Duplicates => "duplicates",
            CheckName::Timestamps => "timestamps",
            CheckName::MinHistory => "min_history",
            CheckName::Frequency => "frequency",
            CheckName::Volume => "volume",
        }
    }

    /// The check that a reader's error belongs to; `None` for a file that cannot be read at all.
    pub(crate) fn of(error: &ContentError, columns: &Columns) -> Option<CheckName> {
        Some(match error.code {
            "missing_column"
            | "duplicate_column"
            | "schema_mismatch"
            | "ragged_row"
            | "invalid_hierarchy"
            | "separator_in_hierarchy"
            | "total_label_taken"
            | "ambiguous_item_id" => CheckName::RequiredColumns,
            "unsupported_type" | "nested_column" => match error.column.as_deref() {
                Some(column) if column == columns.timestamp => CheckName::Timestamps,
                Some(column) if column == columns.target => CheckName::NumericTarget,
                _ => CheckName::RequiredColumns,
            },
            "missing_item_id" | "missing_hierarchy_value" | "all_null_target" => CheckName::Nulls,
            "non_numeric_target" | "non_finite_target" => CheckName::NumericTarget,
            "duplicate_rows" => CheckName::Duplicates,
            "unparseable_timestamp"
            | "ambiguous_dates"
            | "timestamp_out_of_range"
            | "timestamps_too_fine" => CheckName::Timestamps,
            "too_few_observations" => CheckName::MinHistory,
            "frequency_not_inferred" | "frequency_conflict" => CheckName::Frequency,
            "too_many_rows"
            | "too_many_series"
            | "too_many_columns"
            | "cell_too_long"
            | "decompression_limit" => CheckName::Volume,
            _ => return None,
        })
    }

    /// The message of a check without findings.
    fn passed(self) -> &'static str {
        match self {
            CheckName::RequiredColumns => "All columns are there.",
            CheckName::Nulls => "No item id or target is missing.",
            CheckName::NumericTarget => "Every target is a number or null.",
            CheckName::Duplicates => "No two rows have the same item and timestamp.",
            CheckName::Timestamps => "Every timestamp can be read.",
            CheckName::MinHistory => "Every item has two values or more.",
            CheckName::Frequency => "The timestamps are regular.",
            CheckName::Volume => "The limits hold.",
        }
    }
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
pub enum CheckStatus {
    /// There are no findings.
    Passed,
    /// There are findings that a forecast accepts.
    Warning,
    /// A forecast would refuse the file.
    Failed,
}

impl CheckStatus {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            CheckStatus::Passed => "passed",
            CheckStatus::Warning => "warning",
            CheckStatus::Failed => "failed",
        }
    }
}

/// A check and its findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "DatasetCheck")]
pub struct Check {
    /// Name of the check.
    #[serde(rename = "check")]
    pub name: CheckName,
    /// Outcome.
    pub status: CheckStatus,
    /// Number of rows, items, gaps or columns concerned.
    pub count: u64,
    /// The first five data rows concerned, 1-based, if rows are known.
    pub sample_rows: Vec<u64>,
    /// One or more sentences.
    pub message: String,
}

/// Keeps the lowest few of the rows passed to it.
#[derive(Debug, Default)]
pub(crate) struct Sample(pub(crate) Vec<u64>);

impl Sample {
    pub(crate) fn note(&mut self, row: u64) {
        let place = self.0.partition_point(|known| *known < row);
        if place < SAMPLED && self.0.get(place) != Some(&row) {
            self.0.insert(place, row);
            self.0.truncate(SAMPLED);
        }
    }
}

/// The checks made so far.
#[derive(Debug, Default)]
pub(crate) struct Checks(Vec<Check>);

impl Checks {
    /// Records that a check was made, whatever its outcome.
    pub(crate) fn made(&mut self, name: CheckName) {
        self.entry(name);
    }

    /// Adds a finding to its check.
    pub(crate) fn note(
        &mut self,
        name: CheckName,
        status: CheckStatus,
        count: u64,
        rows: &[u64],
        message: &str,
    ) {
        let check = self.entry(name);
        check.count += count;
        let mut sample = Sample(std::mem::take(&mut check.sample_rows));
        for row in rows {
            sample.note(*row);
        }
        check.sample_rows = sample.0;
        if check.status == CheckStatus::Passed {
            check.message.clear();
        } else {
            check.message.push(' ');
        }
        check.message.push_str(message);
        if !message.ends_with('.') {
            check.message.push('.');
        }
        check.status = check.status.max(status);
    }

    /// Adds an error for which a reader would refuse the file; `rows` may list more rows than the error, which only
    /// knows the first.
    pub(crate) fn fail(&mut self, name: CheckName, error: &ContentError, rows: &[u64]) {
        let first: Vec<u64> = error.row.into_iter().collect();
        let rows = if rows.is_empty() { &first } else { rows };
        let mut message = error.message.clone();
        if let Some(suggestion) = &error.suggestion {
            let stop = if message.ends_with('.') { "" } else { "." };
            message = format!("{message}{stop} {suggestion}");
        }
        self.note(name, CheckStatus::Failed, error.count.unwrap_or(1), rows, &message);
    }

    /// All checks that were made, in the order of reports.
    pub(crate) fn into_list(mut self) -> Vec<Check> {
        self.0.sort_by_key(|check| NAMES.iter().position(|name| *name == check.name));
        self.0
    }

    fn entry(&mut self, name: CheckName) -> &mut Check {
        let place = self.0.iter().position(|check| check.name == name).unwrap_or_else(|| {
            self.0.push(Check {
                name,
                status: CheckStatus::Passed,
                count: 0,
                sample_rows: Vec::new(),
                message: name.passed().to_owned(),
            });
            self.0.len() - 1
        });
        &mut self.0[place]
    }
}

/// A column's name as shown in messages.
pub(crate) fn quoted(name: &str) -> String {
    format!("'{}'", shorten(name))
}
