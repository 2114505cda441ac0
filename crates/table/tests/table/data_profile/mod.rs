//! What is found in a file that nobody has said anything about.

mod columns;
mod refusals;
mod relations;
mod roles;
mod series;

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use tabcast_calendar::{parse_timestamp, write_iso8601};
use tabcast_table::{
    ContentError, DataProfile, FileFormat, GivenRoles, Limits, ProfileOptions, ProfiledColumn, ReadError,
    SeriesProfile, profile_data,
};

use crate::support::Folder;

pub(crate) fn profile_with(
    files: &[&[u8]],
    format: FileFormat,
    threads: usize,
    change: impl FnOnce(&mut ProfileOptions),
) -> Result<DataProfile, Box<ContentError>> {
    let folder = Folder::new();
    let cancel = AtomicBool::new(false);
    let paths: Vec<_> = (0..files.len()).map(|index| folder.path(&format!("input-{index}"))).collect();
    for (path, bytes) in paths.iter().zip(files) {
        std::fs::write(path, bytes).unwrap();
    }
    let mut options = ProfileOptions {
        paths,
        format,
        compression: None,
        roles: GivenRoles::default(),
        limits: Limits::default(),
        threads,
        cancel: &cancel,
    };
    change(&mut options);
    match profile_data(&options) {
        Ok(profile) => Ok(profile),
        Err(ReadError::Content(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

fn csv(text: &str) -> DataProfile {
    profile_with(&[text.as_bytes()], FileFormat::Csv, 2, |_| {}).unwrap()
}

fn series_of(profile: &DataProfile) -> &SeriesProfile {
    profile.series.as_ref().unwrap_or_else(|| panic!("{:?}", profile.unreadable))
}

fn column<'a>(profile: &'a DataProfile, name: &str) -> &'a ProfiledColumn {
    profile.columns.iter().find(|column| column.name == name).unwrap()
}

/// A table of daily rows: a line of cells for each day, `rows` of them, made by `cells` and put behind the date.
fn daily(head: &str, rows: usize, mut cells: impl FnMut(usize) -> String) -> String {
    let mut text = format!("{head}\n");
    for row in 0..rows {
        writeln!(text, "{},{}", day(row), cells(row)).unwrap();
    }
    text
}

/// Of 2026 and the years behind it.
fn day(number: usize) -> String {
    time(number as i64 * 24)
}

/// Hours behind the beginning of 2026.
fn time(hours: i64) -> String {
    let first = parse_timestamp(b"2026-01-01").unwrap().micros;
    let mut text = Vec::new();
    write_iso8601(first + hours * 3_600_000_000, &mut text);
    String::from_utf8(text).unwrap().trim_end_matches('Z').to_owned()
}

/// Numbers from 0 to 1 that look random but are the same everywhere.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state ^ state >> 29) >> 16 & 0xff_ffff) as f64 / f64::from(1 << 24)
    }
}
