//! Reports all faults of a dataset, instead of the first one.

mod checks;
mod rows;

use serde::Serialize;
use sha2::{Digest, Sha256};
use tabcast_calendar::{Frequency, Micros};

use crate::column_profile::ColumnProfile;
use crate::hash::{hash_text, hexadecimal};
use crate::profile::profile;
use crate::read::{in_pool, read_parts};
use crate::refusals::{column_named_twice, duplicate_column, missing_column};
use crate::roles::{Role, reads_item_id, wanted};
use crate::{ColumnType, Columns, ContentError, ReadError, ReadOptions, Warning, as_text};

pub use checks::{Check, CheckName, CheckStatus};
use checks::{Checks, quoted};
use rows::{Figures, examine};

/// Number of rows from which types and nulls of the columns are taken.
pub const PROFILED_ROWS: u64 = 100_000;

/// An inspection request.
#[derive(Debug, Clone)]
pub struct InspectOptions<'a> {
    /// What to read; the covariates are those declared as known for the future.
    pub read: ReadOptions<'a>,
    /// The expected frequency; `None`: any.
    pub frequency: Option<Frequency>,
}

/// A column of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
pub struct InspectedColumn {
    /// Its name.
    pub name: String,
    /// The type of its first [`PROFILED_ROWS`] cells.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// Number of missing cells among them.
    pub nulls: u64,
}

/// The result of an inspection. Row counts are `None` if the columns of the roles could not be read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "DatasetInspection")]
pub struct Inspection {
    /// Number of data rows read, including faulty ones.
    #[serde(rename = "rowCount")]
    pub rows: Option<u64>,
    /// Distinct items.
    #[serde(rename = "numItems")]
    pub items: Option<u64>,
    /// Number of valid rows of the shortest item.
    pub min_length: Option<u64>,
    /// Number of valid rows of the longest item.
    pub max_length: Option<u64>,
    /// The earliest timestamp.
    #[serde(serialize_with = "as_text::time_if_any")]
    #[ts(type = "string | null")]
    pub start: Option<Micros>,
    /// The latest timestamp.
    #[serde(serialize_with = "as_text::time_if_any")]
    #[ts(type = "string | null")]
    pub end: Option<Micros>,
    /// All columns of the file, in its order.
    pub columns: Vec<InspectedColumn>,
    /// The inferred frequency, or the given one in the form found in the data.
    #[serde(rename = "inferredFrequency", serialize_with = "as_text::alias_if_any")]
    #[ts(type = "string | null")]
    pub frequency: Option<Frequency>,
    /// All checks that were made.
    pub checks: Vec<Check>,
    /// Warnings for the sender.
    pub warnings: Vec<Warning>,
    /// Whether there are rows after those that were read.
    pub truncated: bool,
    /// SHA-256 of the sorted names and types of the columns, in hexadecimal.
    pub schema_fingerprint: String,
}

impl Inspection {
    /// Whether a forecast would accept the file, as far as it was read.
    pub fn is_valid(&self) -> bool {
        self.checks.iter().all(|check| check.status < CheckStatus::Failed)
    }
}

/// Reads a dataset like [`read_panel`](crate::read_panel), and reports every check of its content. One read finds the
/// rows of all faults; faulty rows are left out of the following checks.
///
/// # Errors
/// [`ReadError::Content`] for a file that is no dataset at all (empty, of another format, damaged, not text), otherwise
/// `Cancelled` or `Io`.
pub fn inspect(options: &InspectOptions) -> Result<Inspection, ReadError> {
    in_pool(options.read.threads, || {
        let columns = &options.read.columns;
        let mut checks = Checks::default();
        let profiles = match profile(&options.read, PROFILED_ROWS) {
            Ok(profiles) => profiles,
            Err(error) => {
                refuse(error, columns, &mut checks)?;
                return Ok(report(Vec::new(), Figures::default(), checks, columns));
            }
        };
        let figures = match readable_columns(&profiles, columns, &mut checks) {
            Some(columns) => read_rows(options, columns, &mut checks)?,
            None => Figures::default(),
        };
        Ok(report(profiles, figures, checks, columns))
    })
}

/// Figures about the rows, or about the error that prevented reading them.
fn read_rows(options: &InspectOptions, columns: Columns, checks: &mut Checks) -> Result<Figures, ReadError> {
    let read = ReadOptions { columns, ..options.read.clone() };
    let mut figures = Figures::default();
    let outcome =
        read_parts(&read).and_then(|parts| examine(parts, &read, options.frequency, checks, &mut figures));
    if let Err(error) = outcome {
        refuse(error, &read.columns, checks)?;
        figures.truncated = true;
    }
    Ok(figures)
}

/// Adds an error to its check; returns an error that belongs to no check.
fn refuse(error: ReadError, columns: &Columns, checks: &mut Checks) -> Result<(), ReadError> {
    if let ReadError::Content(content) = &error
        && let Some(name) = CheckName::of(content, columns)
    {
        checks.fail(name, content, &[]);
        return Ok(());
    }
    Err(error)
}

/// The columns to read: those of the roles, and the readable covariates; `None` if a role has no column.
fn readable_columns(profiles: &[ColumnProfile], columns: &Columns, checks: &mut Checks) -> Option<Columns> {
    let names: Vec<String> = profiles.iter().map(|profile| profile.name.clone()).collect();
    checks.made(CheckName::RequiredColumns);
    let mut taken: Vec<&str> = Vec::new();
    let mut faults: Vec<ContentError> = Vec::new();
    let (mut complete, mut covariates) = (true, Vec::new());
    for (name, role) in wanted(columns) {
        if role == Role::CheckedId && !reads_item_id(columns, &names) {
            continue;
        }
        if !matches!(role, Role::Covariate(_)) {
            faults.extend(fault(name, &names, &taken, columns));
            complete = faults.is_empty();
            taken.push(name);
            continue;
        }
        match fault(name, &names, &taken, columns) {
            Some(error) => faults.push(error),
            None if is_other(name, profiles) => {
                let message = format!("The covariate {} has a type that cannot be read", quoted(name));
                checks.note(CheckName::RequiredColumns, CheckStatus::Failed, 1, &[], &message);
            }
            None => covariates.push(name.to_owned()),
        }
        taken.push(name);
    }
    for error in &faults {
        checks.fail(CheckName::RequiredColumns, error, &[]);
    }
    complete.then(|| Columns { covariates, ..columns.clone() })
}

fn fault(name: &str, names: &[String], taken: &[&str], columns: &Columns) -> Option<ContentError> {
    match names.iter().filter(|other| *other == name).count() {
        0 => Some(missing_column(name, columns, names)),
        1 if taken.contains(&name) => Some(column_named_twice(name, columns)),
        1 => None,
        _ => Some(duplicate_column(name)),
    }
}

fn is_other(name: &str, profiles: &[ColumnProfile]) -> bool {
    profiles.iter().any(|profile| profile.name == name && profile.column_type() == ColumnType::Other)
}

fn report(profiles: Vec<ColumnProfile>, figures: Figures, checks: Checks, columns: &Columns) -> Inspection {
    let kind = |profile: &ColumnProfile| {
        // Plain numbers are timestamps in the timestamp column.
        let is_timestamp = profile.name == columns.timestamp && figures.all_timestamps;
        if is_timestamp { ColumnType::Timestamp } else { profile.column_type() }
    };
    let columns: Vec<InspectedColumn> = profiles
        .into_iter()
        .map(|profile| InspectedColumn { kind: kind(&profile), nulls: profile.nulls(), name: profile.name })
        .collect();
    Inspection {
        rows: figures.rows,
        items: figures.items,
        min_length: figures.min_length,
        max_length: figures.max_length,
        start: figures.start,
        end: figures.end,
        schema_fingerprint: fingerprint(&columns),
        columns,
        frequency: figures.frequency,
        checks: checks.into_list(),
        warnings: figures.warnings,
        truncated: figures.truncated,
    }
}

/// The order of the columns does not matter.
fn fingerprint(columns: &[InspectedColumn]) -> String {
    let mut schema: Vec<(&str, &str)> =
        columns.iter().map(|column| (column.name.as_str(), column.kind.name())).collect();
    schema.sort_unstable();
    let mut hasher = Sha256::new();
    for (name, kind) in schema {
        hash_text(&mut hasher, name);
        hash_text(&mut hasher, kind);
    }
    hexadecimal(hasher)
}
