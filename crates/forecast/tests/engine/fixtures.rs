//! Every folder in `fixtures` is a case: `input.csv`, `options.json` and `expect.json`. Adding a test is adding a
//! folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use tabcast_forecast::{Failure, Options, QuantileColumnStyle};
use tabcast_table::TimestampFormat;

use crate::support::{Finished, Row, check_invariants, forecast, named, options, rows};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    prediction_length: usize,
    freq: Option<String>,
    #[serde(default)]
    quantile_levels: Vec<f64>,
    timestamp_format: Option<TimestampFormat>,
    quantile_column_style: Option<QuantileColumnStyle>,
    max_forecast_points: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Expected {
    /// Code of the content error; nothing else is looked at then.
    error: Option<String>,
    freq: String,
    header: Option<String>,
    /// All items in the order of the table.
    items: Option<Vec<String>>,
    /// First and last timestamp by item.
    first: BTreeMap<String, String>,
    last: BTreeMap<String, String>,
    mean: BTreeMap<String, Vec<f64>>,
    /// Largest absolute difference from `mean`.
    tolerance: f64,
    /// Bounds of the mean by item.
    within: BTreeMap<String, (f64, f64)>,
    /// Counts that must be reported, by code.
    warnings: BTreeMap<String, u64>,
}

fn read_json<T: DeserializeOwned>(path: &Path) -> T {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn given_options(folder: &Path, preset: &str, threads: usize) -> Options {
    let given: Given = read_json(&folder.join("options.json"));
    let mut options = options(&folder.join("input.csv"));
    options.prediction_length = given.prediction_length;
    options.preset = named(preset);
    options.freq = given.freq;
    options.quantile_levels = given.quantile_levels;
    options.threads = threads;
    options.timestamp_format = given.timestamp_format.unwrap_or(options.timestamp_format);
    options.quantile_column_style = given.quantile_column_style.unwrap_or(options.quantile_column_style);
    options.max_forecast_points = given.max_forecast_points.unwrap_or(options.max_forecast_points);
    options
}

#[test]
fn every_fixture_forecasts_as_expected_with_every_preset() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut cases: Vec<_> =
        fs::read_dir(root).expect("fixtures").map(|entry| entry.expect("an entry").path()).collect();
    cases.sort();
    assert!(cases.len() > 20, "fixtures are missing");
    for folder in cases {
        for preset in ["fast", "balanced", "best"] {
            let name = format!("{} {preset}", folder.file_name().expect("a name").to_string_lossy());
            let expected: Expected = read_json(&folder.join("expect.json"));
            match forecast(given_options(&folder, preset, 1)) {
                Ok(finished) => {
                    assert_eq!(expected.error, None, "{name}: should have been refused");
                    check_invariants(&name, &finished);
                    check_expectations(&name, &finished, &expected);
                    let again =
                        forecast(given_options(&folder, preset, 3)).expect("the same run succeeds again");
                    assert_eq!(again.csv, finished.csv, "{name}: bytes depend on the number of threads");
                }
                Err(Failure::Content(error)) => {
                    assert_eq!(Some(error.code), expected.error.as_deref(), "{name}");
                }
                Err(failure) => panic!("{name}: {failure}"),
            }
        }
    }
}

fn check_expectations(name: &str, finished: &Finished, expected: &Expected) {
    let table = rows(&finished.csv);
    let of = |item: &str| -> Vec<&Row> {
        let found: Vec<&Row> = table.iter().filter(|row| row.item == item).collect();
        assert!(!found.is_empty(), "{name}: no rows of {item}");
        found
    };
    assert_eq!(finished.summary.freq, expected.freq, "{name}: frequency");
    if let Some(header) = &expected.header {
        assert_eq!(finished.csv.lines().next(), Some(header.as_str()), "{name}: header");
    }
    if let Some(items) = &expected.items {
        let mut found: Vec<&str> = table.iter().map(|row| row.item.as_str()).collect();
        found.dedup();
        assert_eq!(&found, items, "{name}: items");
    }
    for (item, stamp) in &expected.first {
        assert_eq!(&of(item)[0].timestamp, stamp, "{name}: first timestamp of {item}");
    }
    for (item, stamp) in &expected.last {
        assert_eq!(&of(item).last().expect("rows").timestamp, stamp, "{name}: last timestamp of {item}");
    }
    for (item, mean) in &expected.mean {
        let found: Vec<f64> = of(item).iter().map(|row| row.mean).collect();
        let close = found.len() == mean.len()
            && found.iter().zip(mean).all(|(found, mean)| (found - mean).abs() <= expected.tolerance);
        assert!(
            close,
            "{name}: mean of {item} is {found:?}, expected {mean:?} within {}",
            expected.tolerance
        );
    }
    for (item, (low, high)) in &expected.within {
        for row in of(item) {
            assert!(*low <= row.mean && row.mean <= *high, "{name}: {row:?} is not within {low} and {high}");
        }
    }
    for (code, count) in &expected.warnings {
        let found = finished.summary.warnings.iter().find(|warning| warning.code == *code);
        assert_eq!(found.map(|warning| warning.count), Some(*count), "{name}: warning {code}");
    }
}
