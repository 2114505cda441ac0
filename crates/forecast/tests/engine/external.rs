//! Covariates from outside: values on the grids of the survey forecast as the same values in the file do.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use tabcast_forecast::{
    Config, Control, ExternalOptions, Failure, KeptDataset, Options, ReconciliationOptions, Survey, survey,
};
use tempfile::TempDir;

use crate::support::{forecast, named, options};

const HORIZON: usize = 14;
const BEGIN: i64 = 1_577_836_800;
const DAY: i64 = 86_400;

/// A shop: its id, how many days it has, and where it is.
type Shop = (&'static str, i64, Option<(f64, f64)>);

/// Warm and cold days, irregular; other ones elsewhere.
fn warmth(day: i64, place: Option<(f64, f64)>) -> f64 {
    let shift = place.map_or(0, |(latitude, longitude)| (latitude * 7.0 + longitude * 3.0) as i64);
    ((day + shift) * (day + shift) * 7 % 31) as f64
}

fn sales(day: i64, place: Option<(f64, f64)>) -> f64 {
    100.0 + 10.0 * (day % 7) as f64 + (day * day * 37 % 17) as f64 * 0.5 + 4.0 * warmth(day, place)
}

/// Daily sales from the shop's own first day, shop `i` beginning `i` days late; with `inside`, the temperatures are a
/// column, known ahead.
fn write(folder: &TempDir, name: &str, shops: &[Shop], inside: bool) -> PathBuf {
    let mut text = String::from("item_id,timestamp,target,lat,lon");
    text.push_str(if inside { ",weather_temperature\n" } else { "\n" });
    for (number, (id, days, place)) in shops.iter().enumerate() {
        let first = number as i64;
        for day in first..days + if inside { HORIZON as i64 } else { 0 } {
            let target = if day < *days { sales(day, *place).to_string() } else { String::new() };
            let (lat, lon) =
                place.map_or((String::new(), String::new()), |(lat, lon)| (lat.to_string(), lon.to_string()));
            write!(text, "{id},{},{target},{lat},{lon}", BEGIN + day * DAY)
                .expect("a string takes everything");
            if inside {
                write!(text, ",{}", warmth(day, *place)).expect("a string takes everything");
            }
            text.push('\n');
        }
    }
    let path = folder.path().join(name);
    fs::write(&path, text).expect("the panel is written");
    path
}

fn with(input: &Path, external: Option<ExternalOptions>) -> Options {
    let mut options = options(input);
    options.prediction_length = HORIZON;
    options.external = external;
    options
}

fn located(values: Option<&Path>) -> ExternalOptions {
    let location_columns = Some(["lat".to_owned(), "lon".to_owned()]);
    ExternalOptions { location_columns, values_path: values.map(Path::to_owned), kept: None }
}

fn somewhere(values: Option<&Path>) -> ExternalOptions {
    ExternalOptions { location_columns: None, values_path: values.map(Path::to_owned), kept: None }
}

fn surveyed(options: Options) -> Result<Survey, Failure> {
    survey(&Config::resolve(options)?, &Control::new())
}

/// The file of values, as `value` gives them for a day in a place; `ahead`: whether those of the horizon count. A
/// column that is not used comes first.
fn values(
    folder: &TempDir,
    survey: &Survey,
    ahead: bool,
    value: impl Fn(i64, Option<(f64, f64)>) -> f64,
) -> PathBuf {
    let steps: Vec<usize> = survey.grids.iter().map(|grid| grid.history + grid.ahead).collect();
    let mut bytes = Vec::new();
    for grid in &survey.grids {
        let labels = &survey.axes[grid.axis].labels[grid.first..][..grid.history + grid.ahead];
        bytes.extend(labels.iter().flat_map(|_| f64::INFINITY.to_le_bytes()));
        let days = labels.iter().map(|label| (label / 1_000_000 - BEGIN) / DAY);
        bytes.extend(days.flat_map(|day| value(day, grid.place).to_le_bytes()));
    }
    let columns = json!([
        {"name": "weather_rain", "used": false, "ahead": true},
        {"name": "weather_temperature", "used": true, "ahead": ahead},
    ]);
    let document = json!({"columns": columns, "steps": steps, "provider": "x"}).to_string();
    bytes.extend(document.as_bytes());
    bytes.extend((document.len() as u64).to_le_bytes());
    bytes.extend(b"tcvalue1");
    let path = folder.path().join("values");
    fs::write(&path, bytes).expect("the values are written");
    path
}

fn code(failure: Result<impl Sized, Failure>) -> &'static str {
    match failure {
        Err(Failure::Content(error)) => error.code,
        Err(other) => panic!("{other}"),
        Ok(_) => "fine",
    }
}

const VIENNA: Option<(f64, f64)> = Some((48.21, 16.37));
const GRAZ: Option<(f64, f64)> = Some((47.07, 15.44));

#[test]
fn values_from_outside_forecast_as_those_of_the_file() {
    let folder = TempDir::new().expect("a folder");
    let shops = [("a", 200, VIENNA), ("b", 180, VIENNA), ("c", 200, GRAZ), ("d", 200, VIENNA)];
    let plain = write(&folder, "plain.csv", &shops, false);
    let inside = write(&folder, "inside.csv", &shops, true);
    let survey = surveyed(with(&plain, Some(located(None)))).expect("a survey");
    assert_eq!(survey.freq, "D");
    assert_eq!(survey.season, 7);
    assert_eq!(survey.axes.len(), 1);
    let found: Vec<_> =
        survey.grids.iter().map(|grid| (grid.place, grid.first, grid.history, grid.ahead)).collect();
    assert_eq!(found, [(GRAZ, 2, 198, 14), (VIENNA, 1, 179, 14), (VIENNA, 0, 200, 14)]);
    let path = values(&folder, &survey, true, warmth);
    for preset in ["fast", "balanced", "best"] {
        let with_preset = |mut options: Options| {
            options.preset = named(preset);
            options
        };
        let without = forecast(with_preset(with(&plain, None))).expect("a forecast");
        let outside = forecast(with_preset(with(&plain, Some(located(Some(&path)))))).expect("a forecast");
        let mut options = with_preset(with(&inside, None));
        options.columns.covariates = vec!["weather_temperature".to_owned()];
        let known = forecast(options).expect("a forecast");
        assert_eq!(outside.csv, known.csv, "{preset}");
        assert_ne!(outside.csv, without.csv, "{preset}");
        let is_trailing = outside.summary.warnings.iter().any(|warning| warning.code == "trailing_nulls");
        assert!(!is_trailing, "{preset}: rows that the sender did not send");
        let mut options = with_preset(with(&plain, None));
        options.columns.covariates = vec!["lat".to_owned(), "lon".to_owned()];
        assert_eq!(outside.summary.dataset_hash, forecast(options).expect("a forecast").summary.dataset_hash);
    }
}

#[test]
fn what_is_not_known_ahead_is_not_used_and_does_not_change_the_forecast() {
    let folder = TempDir::new().expect("a folder");
    let plain = write(&folder, "plain.csv", &[("a", 200, None), ("b", 200, None)], false);
    let survey = surveyed(with(&plain, Some(somewhere(None)))).expect("a survey");
    assert_eq!(survey.grids.len(), 1);
    let path = values(&folder, &survey, false, warmth);
    let outside = forecast(with(&plain, Some(somewhere(Some(&path))))).expect("a forecast");
    assert_eq!(outside.csv, forecast(with(&plain, None)).expect("a forecast").csv);
    assert!(outside.summary.warnings.iter().any(|warning| warning.code == "past_only_covariate"));
}

#[test]
fn rows_that_are_there_already_are_not_doubled() {
    let folder = TempDir::new().expect("a folder");
    let plain = write(&folder, "plain.csv", &[("a", 200, None)], false);
    let mut text = fs::read_to_string(&plain).expect("the panel");
    for day in [201, 203, 260] {
        writeln!(text, "a,{},,,", BEGIN + day * DAY).expect("a string takes everything");
    }
    let ahead = folder.path().join("ahead.csv");
    fs::write(&ahead, text).expect("the panel is written");
    let survey = surveyed(with(&ahead, Some(somewhere(None)))).expect("a survey");
    assert_eq!((survey.grids[0].history, survey.grids[0].ahead), (200, 14));
    let path = values(&folder, &survey, true, warmth);
    let one = forecast(with(&plain, Some(somewhere(Some(&path))))).expect("a forecast");
    assert_eq!(forecast(with(&ahead, Some(somewhere(Some(&path))))).expect("a forecast").csv, one.csv);
}

fn bottom_up() -> ReconciliationOptions {
    ReconciliationOptions {
        hierarchy_columns: Vec::new(),
        method: named("bottom_up"),
        weights: named("ols"),
        top_down_method: named("forecast_proportions"),
        separator: "/".to_owned(),
        total_label: "total".to_owned(),
        residual_windows: 1,
    }
}

#[test]
fn a_hierarchy_asks_for_values_to_its_common_end() {
    let folder = TempDir::new().expect("a folder");
    let plain = write(&folder, "plain.csv", &[("n/a", 200, None), ("n/b", 190, None)], false);
    let reconciled = |values: Option<&Path>| {
        let mut options = with(&plain, Some(somewhere(values)));
        options.reconciliation = Some(bottom_up());
        options
    };
    let survey = surveyed(reconciled(None)).expect("a survey");
    let found: Vec<_> = survey.grids.iter().map(|grid| (grid.history, grid.ahead)).collect();
    assert_eq!(found, [(189, 24), (200, 14)]);
    let path = values(&folder, &survey, true, warmth);
    let finished = forecast(reconciled(Some(&path))).expect("a forecast");
    assert!(!finished.summary.warnings.iter().any(|warning| warning.code == "past_only_covariate"));
}

/// Rows on some days, as `(item, day)`.
fn days(folder: &TempDir, rows: impl Iterator<Item = (String, i64)>) -> PathBuf {
    let text = rows.fold("item_id,timestamp,target\n".to_owned(), |mut text, (item, day)| {
        writeln!(text, "{item},{},1", BEGIN + day * DAY).expect("a string takes everything");
        text
    });
    let path = folder.path().join("days.csv");
    fs::write(&path, text).expect("the panel is written");
    path
}

#[test]
fn a_small_table_with_long_gaps_is_refused_before_anything_is_made_of_them() {
    let folder = TempDir::new().expect("a folder");
    let surveyed = |path: &Path, reconciliation: Option<ReconciliationOptions>| {
        let mut options = with(path, Some(somewhere(None)));
        options.freq = Some("D".to_owned());
        options.reconciliation = reconciliation;
        surveyed(options)
    };
    // Each series ends on a day of its own, so that each has a grid of its own.
    let gaps = |series: i64, length: i64| {
        (0..series).flat_map(move |item| [0, 1, length].map(|day| (format!("s{item}"), item + day)))
    };
    assert_eq!(code(surveyed(&days(&folder, gaps(1_500, 20_000)), None)), "too_many_lookups");
    assert_eq!(code(surveyed(&days(&folder, gaps(1_500, 400)), None)), "fine");
    // A row is added for each step to the common end: of thousands of series that share one grid, millions.
    let over = |series: i64, length: i64| {
        (0..series)
            .flat_map(|item| [0, 1].map(|day| (format!("n/s{item}"), day)))
            .chain([0, length].map(|day| ("n/last".to_owned(), day)))
    };
    let common_end = || Some(bottom_up());
    assert_eq!(code(surveyed(&days(&folder, over(1_000, 20_000)), common_end())), "too_many_lookups");
    assert_eq!(code(surveyed(&days(&folder, over(1_000, 400)), common_end())), "fine");
}

#[test]
fn places_that_are_none_are_named() {
    let folder = TempDir::new().expect("a folder");
    let refused = |name: &str, shops: &[Shop]| {
        code(surveyed(with(&write(&folder, name, shops, false), Some(located(None)))))
    };
    assert_eq!(refused("missing.csv", &[("a", 50, VIENNA), ("b", 50, None)]), "missing_location");
    assert_eq!(refused("north.csv", &[("a", 50, Some((91.0, 16.0)))]), "location_out_of_range");
    assert_eq!(refused("east.csv", &[("a", 50, Some((48.0, 181.0)))]), "location_out_of_range");
    let moved = folder.path().join("moved.csv");
    let one = fs::read_to_string(write(&folder, "one.csv", &[("a", 50, VIENNA)], false)).expect("the panel");
    fs::write(&moved, one.replacen("48.21", "48.29", 1)).expect("the panel is written");
    assert_eq!(code(surveyed(with(&moved, Some(located(None))))), "location_varies");
    let words = folder.path().join("words.csv");
    fs::write(&words, one.replace("48.21", "north")).expect("the panel is written");
    assert_eq!(code(surveyed(with(&words, Some(located(None))))), "invalid_location");
    assert_eq!(
        refused("flags.csv", &[("a", 50, Some((1.0, 0.0))), ("b", 50, Some((0.0, 1.0)))]),
        "invalid_location"
    );
    let mut options = with(&moved, Some(located(None)));
    options.external.as_mut().expect("it is given").location_columns =
        Some(["lat".to_owned(), "x".to_owned()]);
    assert_eq!(code(surveyed(options)), "missing_column");
}

#[test]
fn a_file_of_other_grids_or_of_no_values_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let plain = write(&folder, "plain.csv", &[("a", 200, None)], false);
    let short = write(&folder, "short.csv", &[("a", 100, None)], false);
    let survey = surveyed(with(&plain, Some(somewhere(None)))).expect("a survey");
    let path = values(&folder, &survey, true, warmth);
    assert!(matches!(forecast(with(&short, Some(somewhere(Some(&path))))), Err(Failure::Io { .. })));
    let cut = folder.path().join("cut");
    let bytes = fs::read(&path).expect("the values");
    for cut_off in [1, 8, 15, 40, bytes.len()] {
        fs::write(&cut, &bytes[cut_off..]).expect("the file is written");
        assert!(
            matches!(forecast(with(&plain, Some(somewhere(Some(&cut))))), Err(Failure::Io { .. })),
            "without {cut_off} bytes"
        );
    }
}

#[test]
fn the_rows_of_a_survey_are_there_for_one_forecast() {
    let folder = TempDir::new().expect("a folder");
    let plain = write(&folder, "plain.csv", &[("a", 200, VIENNA), ("b", 190, GRAZ)], false);
    let kept = KeptDataset::default();
    let with_kept = |values: Option<&Path>| {
        let mut options = with(&plain, Some(located(values)));
        options.external.as_mut().expect("it is given").kept = Some(kept.clone());
        options
    };
    let survey = surveyed(with_kept(None)).expect("a survey");
    let path = values(&folder, &survey, true, warmth);
    let read_again = forecast(with(&plain, Some(located(Some(&path))))).expect("a forecast");
    fs::remove_file(&plain).expect("the dataset is gone");
    let finished = forecast(with_kept(Some(&path))).expect("a forecast of the rows that were kept");
    assert_eq!(finished.csv, read_again.csv);
    assert_eq!(finished.summary.dataset_hash, read_again.summary.dataset_hash);
    assert!(matches!(forecast(with_kept(Some(&path))), Err(Failure::Io { .. })));
}
