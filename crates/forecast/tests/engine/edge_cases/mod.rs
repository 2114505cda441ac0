//! Series that have broken forecasting software, in 27 groups; the table in this crate's README says which test holds
//! which group.

mod few;
mod panels;
mod times;
mod values;

use std::fmt::Write;
use std::fs;

use tabcast_calendar::{Frequency, parse_timestamp, write_pandas};
use tabcast_forecast::{Failure, Options};
use tabcast_table::ContentError;
use tempfile::TempDir;

use crate::support::{Finished, Row, check_invariants, forecast, named, options, rows};

pub(crate) const PRESETS: [&str; 3] = ["fast", "balanced", "best"];

/// Numbers that look random but are the same everywhere, between -0.5 and 0.5.
fn noise(step: usize) -> f64 {
    ((step * step * 37 + step * 11) % 101) as f64 / 101.0 - 0.5
}

/// A positive season of `period` steps around 100, with a little noise.
fn wave(period: usize, length: usize) -> Vec<f64> {
    let angle = |step: usize| (step % period) as f64 / period as f64 * std::f64::consts::TAU;
    (0..length).map(|step| 100.0 + 20.0 * angle(step).sin() + noise(step)).collect()
}

/// Stamps on every step of `alias` from `start` on.
pub(crate) fn stamps(alias: &str, start: &str, count: usize) -> Vec<String> {
    let frequency = Frequency::parse(alias).expect("an alias");
    let start = parse_timestamp(start.as_bytes()).expect("a stamp").micros;
    (0..count)
        .map(|step| {
            let mut text = Vec::new();
            write_pandas(frequency.advance(start, step as i64), &mut text);
            String::from_utf8(text).expect("digits")
        })
        .collect()
}

/// A file under construction.
pub(crate) struct Table(String);

impl Table {
    pub(crate) fn new() -> Self {
        Self("item_id,timestamp,target\n".to_owned())
    }

    /// Adds a series; NaN is an empty cell.
    pub(crate) fn add(&mut self, id: &str, stamps: &[String], values: &[f64]) {
        for (stamp, value) in stamps.iter().zip(values) {
            let value = if value.is_nan() { String::new() } else { value.to_string() };
            writeln!(self.0, "{id},{stamp},{value}").expect("a string takes everything");
        }
    }

    /// One series on the steps of `alias` from 1 January 2024, a Monday, on.
    fn of(alias: &str, values: &[f64]) -> Self {
        let mut table = Self::new();
        table.add("a", &stamps(alias, "2024-01-01", values.len()), values);
        table
    }

    /// Runs one preset with two threads; `change` may set other options.
    pub(crate) fn run(
        &self,
        preset: &str,
        horizon: usize,
        change: impl Fn(&mut Options),
    ) -> Result<Finished, Failure> {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("panel.csv");
        fs::write(&path, &self.0).expect("the panel is written");
        let mut options = options(&path);
        options.preset = named(preset);
        options.prediction_length = horizon;
        change(&mut options);
        forecast(options)
    }

    /// Forecasts with every preset and hands rows and result to `check`, after what holds for every forecast of
    /// anything.
    fn forecast(&self, horizon: usize, check: impl Fn(&str, &[Row], &Finished)) {
        for preset in PRESETS {
            let finished = self.run(preset, horizon, |_| {});
            let finished = finished.unwrap_or_else(|failure| panic!("{preset}: {failure}"));
            check_invariants(preset, &finished);
            check(preset, &rows(&finished.csv), &finished);
        }
    }

    /// What the file is refused with.
    fn refusal(&self) -> ContentError {
        match self.run("balanced", 3, |_| {}) {
            Err(Failure::Content(error)) => *error,
            other => panic!("should have been refused: {:?}", other.map(|finished| finished.summary)),
        }
    }
}

/// The count of a warning, 0 when there is none.
fn count(finished: &Finished, code: &str) -> u64 {
    let found = finished.summary.warnings.iter().find(|warning| warning.code == code);
    found.map_or(0, |warning| warning.count)
}

fn means(rows: &[Row]) -> Vec<f64> {
    rows.iter().map(|row| row.mean).collect()
}
