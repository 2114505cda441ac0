//! Forecasts of hierarchies: which rows there are, that they add up as they are written, and what becomes of series
//! that do not fit together.

mod covariates;
mod sums;
mod times;

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::support::{Finished, forecast, named, options, rows, uniform};
use tabcast_forecast::{Failure, Options, ReconciliationOptions};
use tempfile::TempDir;

const METHODS: [(&str, &str, &str); 8] = [
    ("bottom_up", "wls_struct", "forecast_proportions"),
    ("top_down", "wls_struct", "proportions_of_historical_totals"),
    ("top_down", "wls_struct", "average_historical_proportions"),
    ("top_down", "wls_struct", "forecast_proportions"),
    ("min_trace", "ols", "forecast_proportions"),
    ("min_trace", "wls_struct", "forecast_proportions"),
    ("min_trace", "wls_var", "forecast_proportions"),
    ("min_trace", "shrink", "forecast_proportions"),
];

fn with(method: (&str, &str, &str)) -> ReconciliationOptions {
    ReconciliationOptions {
        method: named(method.0),
        weights: named(method.1),
        top_down_method: named(method.2),
        ..ReconciliationOptions::default()
    }
}

/// A file in a folder of its own.
struct Dataset {
    _folder: TempDir,
    path: PathBuf,
}

fn write(text: &str) -> Dataset {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("data.csv");
    std::fs::write(&path, text).expect("the file is written");
    Dataset { _folder: folder, path }
}

/// The first of month `index`, from January 2015 on.
fn month(index: usize) -> String {
    format!("{}-{:02}-01", 2015 + index / 12, index % 12 + 1)
}

/// Monthly sales of 2 regions with 2 and 3 shops, as `region,shop,timestamp,target`.
fn shops(months: usize) -> String {
    let mut random = uniform();
    let mut text = "region,shop,timestamp,target\n".to_owned();
    for (region, shop, level) in [
        ("north", "a", 40.0),
        ("north", "b", 90.0),
        ("south", "a", 15.0),
        ("south", "c", 60.0),
        ("south", "d", 25.0),
    ] {
        for index in 0..months {
            let season = 1.0 + 0.3 * (index as f64 * std::f64::consts::TAU / 12.0).sin();
            let value = level * season * (1.0 + index as f64 / 200.0) + 5.0 * random();
            writeln!(text, "{region},{shop},{},{value:.2}", month(index)).expect("a string takes it");
        }
    }
    text
}

fn columns() -> Vec<String> {
    vec!["region".to_owned(), "shop".to_owned()]
}

fn run(
    text: &str,
    reconciliation: ReconciliationOptions,
    change: impl FnOnce(&mut Options),
) -> Result<Finished, Failure> {
    let dataset = write(text);
    let mut options = Options { reconciliation: Some(reconciliation), ..options(&dataset.path) };
    change(&mut options);
    forecast(options)
}

/// The code of the content error that a run ends with.
fn refused(text: &str, reconciliation: ReconciliationOptions, preset: &str) -> (&'static str, String) {
    match run(text, reconciliation, |options| options.preset = named(preset)) {
        Err(Failure::Content(error)) => (error.code, error.message.clone()),
        Err(other) => panic!("expected a content error, got {other}"),
        Ok(_) => panic!("expected a content error, got a forecast"),
    }
}

/// The mean column as it stands in the file: item, timestamp and the decimal number without its point.
fn means(csv: &str, exponent: i32) -> Vec<(String, String, i128)> {
    csv.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.splitn(4, ',').collect();
            (cells[0].to_owned(), cells[1].to_owned(), decimal(cells[2], exponent))
        })
        .collect()
}

/// A decimal as a multiple of a power of ten, from its digits.
fn decimal(text: &str, exponent: i32) -> i128 {
    let (number, shift) = text
        .split_once(['e', 'E'])
        .map_or((text, 0), |(number, power)| (number, power.parse::<i32>().expect("a power")));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().expect("digits");
    let power = shift - fraction.len() as i32 - exponent;
    if power >= 0 {
        digits * 10_i128.pow(power.unsigned_abs())
    } else {
        let divisor = 10_i128.pow(power.unsigned_abs());
        assert_eq!(digits % divisor, 0, "{text} does not lie on the grid of 10^{exponent}");
        digits / divisor
    }
}

/// Every mean of a sum is the sum of the means below it, digit by digit.
fn check_sums(finished: &Finished, total: &str, separator: &str) {
    let largest = rows(&finished.csv).iter().map(|row| row.mean.abs()).fold(0.0, f64::max);
    let exponent = largest.log10().floor() as i32 - 14;
    let means = means(&finished.csv, exponent);
    let level = |id: &str| if id == total { 0 } else { id.split(separator).count() };
    let deepest = means.iter().map(|(id, ..)| level(id)).max().expect("rows");
    for (id, stamp, mean) in &means {
        let depth = level(id);
        if depth == deepest {
            continue;
        }
        let below = means.iter().filter(|(other, time, _)| {
            time == stamp
                && level(other) == depth + 1
                && (id == total || other.starts_with(&format!("{id}{separator}")))
        });
        assert_eq!(below.map(|(.., mean)| mean).sum::<i128>(), *mean, "{id} at {stamp}");
    }
}
