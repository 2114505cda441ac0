//! Everything that is wrong with a dataset, check by check.

mod checks;
mod formats;

use std::sync::atomic::AtomicBool;

use crate::support::Folder;
use tabcast_calendar::Frequency;
use tabcast_table::{
    Check, CheckStatus, Columns, Compression, ContentError, FileFormat, InspectOptions, Inspection, Limits,
    ReadError, ReadOptions, find_frequency, inspect, read_panel,
};

const HEAD: &str = "item_id,timestamp,target\n";
/// Daily rows of each of the items `a` and `b`: data rows 1 to 20 and 21 to 40.
const DAYS: usize = 20;

fn good_rows() -> Vec<String> {
    let row = |item: &str, day: usize| format!("{item},2026-01-{day:02},{}", day % 7);
    ["a", "b"].iter().flat_map(|item| (1..=DAYS).map(move |day| row(item, day))).collect()
}

struct Case<'a> {
    bytes: &'a [u8],
    /// The files behind the first.
    more: &'a [&'a [u8]],
    format: FileFormat,
    compression: Option<Compression>,
    columns: Columns,
    limits: Limits,
    freq: Option<&'a str>,
    threads: usize,
}

impl<'a> Case<'a> {
    fn csv(text: &'a str) -> Case<'a> {
        Case {
            bytes: text.as_bytes(),
            more: &[],
            format: FileFormat::Csv,
            compression: None,
            columns: Columns::default(),
            limits: Limits::default(),
            freq: None,
            threads: 2,
        }
    }

    fn inspect(&self) -> Result<Inspection, Box<ContentError>> {
        self.with_options(|options| {
            inspect(&InspectOptions {
                read: options,
                frequency: self.freq.map(|freq| Frequency::parse(freq).unwrap()),
            })
        })
    }

    fn with_options<T>(
        &self,
        work: impl FnOnce(ReadOptions) -> Result<T, ReadError>,
    ) -> Result<T, Box<ContentError>> {
        let folder = Folder::new();
        let paths =
            (0..=self.more.len()).map(|index| folder.path(&format!("input-{index}"))).collect::<Vec<_>>();
        for (path, bytes) in paths.iter().zip(std::iter::once(&self.bytes).chain(self.more)) {
            std::fs::write(path, bytes).unwrap();
        }
        let cancel = AtomicBool::new(false);
        let outcome = work(ReadOptions {
            paths,
            format: self.format,
            compression: self.compression,
            sheet: None,
            columns: self.columns.clone(),
            date_order: None,
            limits: self.limits,
            scratch: None,
            threads: self.threads,
            cancel: &cancel,
        });
        outcome.map_err(|error| match error {
            ReadError::Content(error) => error,
            error => panic!("{error}"),
        })
    }

    /// Whether a forecast would take the file, as far as the table is concerned.
    fn is_taken(&self) -> bool {
        let given = self.freq.map(|freq| Frequency::parse(freq).unwrap());
        let panel = self.with_options(|options| read_panel(&options));
        panel.is_ok_and(|panel| find_frequency(given, "timestamp", &panel.timestamps, &panel.offsets).is_ok())
    }
}

fn table(rows: &[String]) -> String {
    format!("{HEAD}{}\n", rows.join("\n"))
}

fn good() -> String {
    table(&good_rows())
}

/// The good table with one row replaced.
fn replaced(row: usize, by: &str) -> String {
    let mut rows = good_rows();
    by.clone_into(&mut rows[row - 1]);
    table(&rows)
}

/// The good table with more rows: data rows 41 and on.
fn with(more: &[&str]) -> String {
    let mut rows = good_rows();
    rows.extend(more.iter().map(|row| (*row).to_owned()));
    table(&rows)
}

fn check<'a>(found: &'a Inspection, name: &str) -> &'a Check {
    found.checks.iter().find(|check| check.name.name() == name).unwrap()
}

/// Names of the checks that did not pass.
fn not_passed(found: &Inspection) -> Vec<(&'static str, &'static str)> {
    let found = found.checks.iter().filter(|check| check.status != CheckStatus::Passed);
    found.map(|check| (check.name.name(), check.status.name())).collect()
}

/// The rows of a CSV as an object a line; what parses as a number is one, and an empty cell is left out.
fn lines(csv: &str) -> String {
    let mut rows = csv.lines();
    let names: Vec<&str> = rows.next().unwrap().split(',').collect();
    let cell = |(name, cell): (&&str, &str)| match cell.parse::<f64>() {
        _ if cell.is_empty() => None,
        Ok(number) if number.is_finite() => Some(format!("\"{name}\":{cell}")),
        _ => Some(format!("\"{name}\":\"{cell}\"")),
    };
    let object = |row: &str| {
        let cells: Vec<String> = names.iter().zip(row.split(',')).filter_map(cell).collect();
        format!("{{{}}}\n", cells.join(","))
    };
    rows.map(object).collect()
}

/// The rows of a CSV in two files, both with its header; the second begins behind data row `rows`.
fn halves(csv: &str, rows: usize) -> [String; 2] {
    let all: Vec<&str> = csv.lines().skip(1).collect();
    let (first, second) = all.split_at(rows);
    [first, second].map(|rows| format!("{HEAD}{}\n", rows.join("\n")))
}
