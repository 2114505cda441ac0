//! Covariates in the file: known future values explain the forecast, and what cannot be used is said.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tabcast_forecast::{Failure, Options};
use tempfile::TempDir;

use crate::support::{forecast, named, options, rows};

const HORIZON: usize = 14;

/// Whether shops have an offer on a day; irregular, and the same everywhere.
fn offer(day: usize) -> bool {
    day * day % 13 < 4
}

/// Daily sales that double with an offer, of two shops; `future` says how many days of each shop follow without sales.
fn sales(folder: &TempDir, future: [usize; 2]) -> PathBuf {
    let mut text = String::from("item_id,timestamp,target,price,campaign,weather\n");
    for (shop, known) in ["a", "b"].iter().zip(future) {
        for day in 0..200 + known {
            let stamp = 1_577_836_800 + day as i64 * 86_400;
            let noise = (day * day * 37 + day * 11) % 17;
            let value =
                100.0 + 10.0 * (day % 7) as f64 + noise as f64 * 0.5 + if offer(day) { 80.0 } else { 0.0 };
            let target = if day < 200 { value.to_string() } else { String::new() };
            let price = if offer(day) { "4.5" } else { "6" };
            let campaign = if offer(day) { "leaflet" } else { "regular" };
            let weather = if day < 200 { format!("{}", day % 9) } else { String::new() };
            writeln!(text, "{shop},{stamp},{target},{price},{campaign},{weather}")
                .expect("a string takes everything");
        }
    }
    let path = folder.path().join("sales.csv");
    fs::write(&path, text).expect("the panel is written");
    path
}

fn with(input: &std::path::Path, covariates: &[&str], preset: &str) -> Options {
    let mut options = options(input);
    options.prediction_length = HORIZON;
    options.preset = named(preset);
    options.columns.covariates = covariates.iter().map(|&name| name.to_owned()).collect();
    options
}

/// Mean absolute error over both shops.
fn error(options: Options) -> f64 {
    let finished = forecast(options).expect("a forecast");
    let rows = rows(&finished.csv);
    let errors = rows.iter().enumerate().map(|(row, forecast)| {
        let day = 200 + row % HORIZON;
        let noise = (day * day * 37 + day * 11) % 17;
        let actual =
            100.0 + 10.0 * (day % 7) as f64 + noise as f64 * 0.5 + if offer(day) { 80.0 } else { 0.0 };
        (forecast.mean - actual).abs()
    });
    errors.sum::<f64>() / rows.len() as f64
}

#[test]
fn known_future_values_explain_the_forecast_with_every_preset() {
    let folder = TempDir::new().expect("a folder");
    let input = sales(&folder, [HORIZON; 2]);
    for preset in ["fast", "balanced", "best"] {
        let without = error(with(&input, &[], preset));
        for covariates in [&["price"][..], &["campaign"], &["price", "campaign"]] {
            let explained = error(with(&input, covariates, preset));
            assert!(explained < 0.4 * without, "{preset} {covariates:?}: {explained} against {without}");
        }
    }
}

#[test]
fn a_covariate_without_future_values_is_reported_and_changes_nothing() {
    let folder = TempDir::new().expect("a folder");
    let input = sales(&folder, [HORIZON; 2]);
    let plain = forecast(with(&input, &[], "balanced")).expect("a forecast");
    let finished = forecast(with(&input, &["weather"], "balanced")).expect("a forecast");
    assert_eq!(finished.csv, plain.csv);
    assert!(finished.parquet.exists());
    let warning = finished.summary.warnings.iter().find(|warning| warning.code == "past_only_covariate");
    assert!(warning.expect("a warning").message.contains("'weather'"));
    assert!(plain.report.get("covariates").is_none());
    let both = forecast(with(&input, &["price", "weather"], "fast")).expect("a forecast").report;
    assert_eq!(
        both["covariates"],
        json!([{ "name": "price", "used": true }, { "name": "weather", "used": false }])
    );
}

/// A column that is not known ahead tells nothing of the steps that are forecast, whatever it knows of the past.
#[test]
fn a_covariate_of_the_past_alone_changes_no_byte_of_any_preset() {
    let folder = TempDir::new().expect("a folder");
    let input = sales(&folder, [HORIZON; 2]);
    for preset in ["fast", "balanced", "best"] {
        let alone = forecast(with(&input, &["price"], preset)).expect("a forecast");
        let beside = forecast(with(&input, &["price", "weather"], preset)).expect("a forecast");
        assert_eq!(alone.csv, beside.csv, "{preset}");
    }
}

/// Hours of a history that is longer than what the models of one series look at, then a day; a line each.
fn hours(
    folder: &TempDir,
    length: usize,
    target: &dyn Fn(usize) -> f64,
    column: &dyn Fn(usize) -> f64,
) -> PathBuf {
    let mut text = String::from("item_id,timestamp,target,temperature\n");
    for hour in 0..length + 24 {
        let value = if hour < length { target(hour).to_string() } else { String::new() };
        writeln!(text, "a,{},{value},{}", 1_577_836_800 + hour as i64 * 3_600, column(hour))
            .expect("a string takes everything");
    }
    let path = folder.path().join("hours.csv");
    fs::write(&path, text).expect("the panel is written");
    path
}

/// Warmth that differs from day to day, and the demand that follows it on both sides of a mild day, more so by day.
fn warmth(hour: usize) -> f64 {
    let day = hour / 24;
    15.0 + (day * day * 7 % 23) as f64 - 11.0 + 5.0 * (hour as f64 * std::f64::consts::TAU / 24.0).sin()
}

fn demand(hour: usize) -> f64 {
    let awake = if (7..22).contains(&(hour % 24)) { 1.0 } else { 0.3 };
    let weekday = if hour / 24 % 7 < 5 { 20.0 } else { 0.0 };
    let response = 3.0 * (warmth(hour) - 18.0).max(0.0) + 2.0 * (12.0 - warmth(hour)).max(0.0);
    200.0 + weekday + 40.0 * awake + awake * response + (hour * hour % 5) as f64
}

#[test]
fn demand_follows_the_warmth_on_both_sides_with_every_preset() {
    const LENGTH: usize = 2_400;
    let folder = TempDir::new().expect("a folder");
    let input = hours(&folder, LENGTH, &demand, &warmth);
    for preset in ["fast", "balanced", "best"] {
        let missed = |covariates: &[&str]| {
            let mut options = with(&input, covariates, preset);
            options.prediction_length = 24;
            let finished = forecast(options).expect("a forecast");
            let rows = rows(&finished.csv);
            rows.iter().enumerate().map(|(step, row)| (row.mean - demand(LENGTH + step)).abs()).sum::<f64>()
        };
        let (informed, plain) = (missed(&["temperature"]), missed(&[]));
        assert!(informed < 0.5 * plain, "{preset}: {informed} against {plain}");
    }
}

#[test]
fn numbers_that_explain_nothing_change_nothing() {
    let folder = TempDir::new().expect("a folder");
    let random = |hour: usize| (hour as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as f64 / u64::MAX as f64;
    let input = hours(&folder, 2_400, &demand, &random);
    let ask = |covariates: &[&str]| {
        let mut options = with(&input, covariates, "fast");
        options.prediction_length = 24;
        forecast(options).expect("a forecast").csv
    };
    assert_eq!(ask(&["temperature"]), ask(&[]));
}

#[test]
fn future_values_for_a_part_of_the_horizon_are_refused_by_name() {
    let folder = TempDir::new().expect("a folder");
    let input = sales(&folder, [HORIZON, HORIZON - 1]);
    match forecast(with(&input, &["price"], "balanced")) {
        Err(Failure::Content(error)) => {
            assert_eq!(error.code, "partial_future_covariate");
            assert_eq!((error.column.as_deref(), error.item.as_deref()), (Some("price"), Some("b")));
        }
        other => panic!("expected a content error, got {:?}", other.map(|finished| finished.summary)),
    }
}

/// A daily series of one shop: `target` of the day, then `columns` of text of the day.
fn shop(
    folder: &TempDir,
    days: usize,
    target: &dyn Fn(usize) -> f64,
    columns: &[(&str, &dyn Fn(usize) -> String)],
) -> PathBuf {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let mut text = format!("item_id,timestamp,target,{}\n", names.join(","));
    for day in 0..days + HORIZON {
        let cells: Vec<String> = columns.iter().map(|(_, cell)| cell(day)).collect();
        let value = if day < days { target(day).to_string() } else { String::new() };
        writeln!(text, "a,{},{value},{}", 1_577_836_800 + day as i64 * 86_400, cells.join(","))
            .expect("a string takes everything");
    }
    let path = folder.path().join("shop.csv");
    fs::write(&path, text).expect("the panel is written");
    path
}

#[test]
fn sales_that_only_promotions_make_are_explained_and_not_intermittent() {
    let folder = TempDir::new().expect("a folder");
    let promotion = |day: usize| day * day % 11 < 3;
    let target = |day: usize| if promotion(day) { 20.0 + (day % 3) as f64 } else { 0.0 };
    let cell = |day: usize| u8::from(promotion(day)).to_string();
    let input = shop(&folder, 200, &target, &[("promotion", &cell)]);
    for preset in ["fast", "balanced", "best"] {
        let finished = forecast(with(&input, &["promotion"], preset)).expect("a forecast");
        for (step, row) in rows(&finished.csv).iter().enumerate() {
            let off = (row.mean - target(200 + step)).abs();
            assert!(off < 3.0 && row.mean >= 0.0, "{preset}, step {step}: {row:?}");
        }
        assert!(finished.summary.warnings.iter().all(|warning| warning.code != "fallback_used"), "{preset}");
    }
}

/// A shop of `days` days with columns `x1`, `x2` and so on, of the text that `cell` gives for a day and a column; and
/// their names.
fn shop_of_many(
    folder: &TempDir,
    days: usize,
    columns: usize,
    cell: &dyn Fn(usize, usize) -> String,
) -> (PathBuf, Vec<String>) {
    let target = |day: usize| 50.0 + (day * day % 11) as f64;
    let cells: Vec<_> = (1..=columns).map(|column| move |day: usize| cell(day, column)).collect();
    let names: Vec<String> = (1..=columns).map(|column| format!("x{column}")).collect();
    let columns: Vec<(&str, &dyn Fn(usize) -> String)> = names
        .iter()
        .zip(&cells)
        .map(|(name, cell)| (name.as_str(), cell as &dyn Fn(usize) -> String))
        .collect();
    (shop(folder, days, &target, &columns), names)
}

#[test]
fn many_categories_are_limited_to_the_most_frequent_and_reported() {
    let folder = TempDir::new().expect("a folder");
    let (input, names) =
        shop_of_many(&folder, 300, 20, &|day, column| format!("c{}", (day * 5 + column) % 13));
    let covariates: Vec<&str> = names.iter().map(String::as_str).collect();
    let finished = forecast(with(&input, &covariates, "balanced")).expect("a forecast");
    let warning = finished.summary.warnings.iter().find(|warning| warning.code == "covariates_limited");
    assert_eq!(warning.expect("a warning").count, 20 * 12 - 30);
}

#[test]
fn a_budget_that_ends_inside_the_only_series_gives_the_cheap_forecast() {
    let folder = TempDir::new().expect("a folder");
    let (input, names) =
        shop_of_many(&folder, 3_000, 30, &|day, column| ((day * day / column) % 13).to_string());
    let covariates: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut options = with(&input, &covariates, "best");
    options.budget = Some(Duration::from_millis(150));
    let hurried = forecast(options).expect("a forecast");
    let count = |code: &str| {
        hurried.summary.warnings.iter().find(|warning| warning.code == code).map(|warning| warning.count)
    };
    assert_eq!(count("budget_short"), Some(1));
    assert_eq!(count("fallback_used"), None);
    let cheap = forecast(with(&input, &covariates, "fast")).expect("a forecast");
    assert_eq!(rows(&hurried.csv)[0].mean, rows(&cheap.csv)[0].mean);
}

#[test]
fn a_mistyped_future_value_is_drawn_in_and_reported() {
    let folder = TempDir::new().expect("a folder");
    let price = |day: usize| 10.0 + (day * day % 11) as f64;
    let target = |day: usize| 100.0 - 2.0 * price(day);
    for wrong in ["1e9", "1e308", "-1e308"] {
        let cell = |day: usize| if day == 205 { wrong.to_owned() } else { price(day).to_string() };
        let input = shop(&folder, 200, &target, &[("price", &cell)]);
        for preset in ["fast", "balanced"] {
            let finished = forecast(with(&input, &["price"], preset)).expect("a forecast");
            let warning =
                finished.summary.warnings.iter().find(|warning| warning.code == "covariate_drawn_in");
            assert_eq!(warning.expect("a warning").count, 1);
            for (step, row) in rows(&finished.csv).iter().enumerate().filter(|(step, _)| *step != 5) {
                assert!((row.mean - target(200 + step)).abs() < 4.0, "{wrong} {preset} {step}: {}", row.mean);
            }
        }
    }
}
