//! Covariates in the file: known future values explain the forecast, and what cannot be used is said.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use tabcast_forecast::{Failure, Options};
use tempfile::TempDir;

use crate::support::{forecast, options, rows};

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
    preset.clone_into(&mut options.preset);
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
