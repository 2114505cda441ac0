//! Findings and analyses: what was planted is found, what cannot be said is skipped, and the files fit together.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tabcast_calendar::{Frequency, write_pandas};
use tabcast_forecast::{ExplainOptions, Options, ReconciliationOptions};
use tabcast_table::Columns;
use tempfile::TempDir;

use crate::support::{Finished, forecast, options, uniform};

const HORIZON: usize = 7;

/// Days from 2024 on.
fn day(step: usize) -> String {
    let daily = Frequency::parse("D").expect("a frequency");
    let mut text = Vec::new();
    write_pandas(daily.advance(1_704_067_200_000_000, step as i64), &mut text);
    String::from_utf8(text).expect("a stamp")[..10].to_owned()
}

/// Daily sales with a season of a week, a promotion that adds 40 to about every fifth day, and a column without
/// effect; the promotions of the next days are known.
fn shops(folder: &TempDir, shops: usize, days: usize) -> PathBuf {
    let mut noise = uniform();
    let mut text = "item_id,timestamp,target,promo,noise,colour\n".to_owned();
    for shop in 0..shops {
        for step in 0..days + HORIZON {
            let promo = noise() < 0.2;
            let season = [0.0, 5.0, 10.0, 5.0, 0.0, 20.0, 25.0][step % 7];
            let sales =
                100.0 + 10.0 * shop as f64 + season + f64::from(u8::from(promo)) * 40.0 + 4.0 * noise();
            let target = if step < days { format!("{sales:.2}") } else { String::new() };
            let colour = if noise() < 0.5 { "red" } else { "blue" };
            writeln!(text, "shop/{shop},{},{target},{},{:.3},{colour}", day(step), u8::from(promo), noise())
                .expect("a string takes it");
        }
    }
    let path = folder.path().join("shops.csv");
    fs::write(&path, text).expect("a file");
    path
}

fn explained(path: &std::path::Path, explain: ExplainOptions) -> Options {
    Options {
        prediction_length: HORIZON,
        explain: Some(explain),
        columns: Columns {
            covariates: ["promo", "noise", "colour"].map(str::to_owned).to_vec(),
            ..Columns::default()
        },
        ..options(path)
    }
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().filter_map(Value::as_str).collect()
}

fn close(value: &Value, expected: f64, most: f64) {
    let value = value.as_f64().expect("a number");
    assert!((value - expected).abs() <= most, "{value} is not {expected}");
}

#[test]
fn every_analysis_says_what_was_planted() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 8, 280);
    let finished = forecast(explained(&path, ExplainOptions::default())).expect("a forecast");
    let document = finished.document("analyses.json");
    assert_eq!(document["skipped"], serde_json::json!({}), "{}", document["warnings"]);
    assert_eq!(document["completed"].as_array().map(Vec::len), Some(6));

    // Which features the forecast rests on.
    let groups = document["importance"]["groups"].as_array().expect("groups");
    let share = |name: &str| {
        let of = groups.iter().find(|group| group["feature"] == name);
        of.map_or(0.0, |group| group["share"].as_f64().expect("a share"))
    };
    assert_eq!(groups[0]["feature"], "promo", "{groups:?}");
    assert!(share("noise") < 0.02, "{groups:?}");
    let fidelity = &document["importance"]["fidelity"];
    assert!(fidelity["r2"].as_f64() > Some(0.9), "{fidelity}");
    let features = document["importance"]["features"].as_array().expect("features");
    let promo = features.iter().find(|feature| feature["feature"] == "promo").expect("promo");
    assert_eq!(promo["direction"], "rising");

    // Row by row: base and contributions add up, and a promotion adds 40.
    let shap = finished.analysis("shap_values.csv").expect("values");
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let (mut sums, mut last) = (0.0, String::new());
    for line in shap.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |place: usize| cells[place].parse::<f64>().expect("a number");
        if cells[0] != last {
            (sums, last) = (number(7), cells[0].to_owned());
        }
        sums += number(6);
        if cells[4] == "promo" {
            if number(5) == 1.0 { with.push(number(6)) } else { without.push(number(6)) }
        }
    }
    assert!(sums.is_finite() && !with.is_empty());
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let effect = mean(&with) - mean(&without);
    assert!((effect - 40.0).abs() < 6.0, "{effect}");

    // Correlations with the target, and of categories.
    let rows = document["feature_target"]["rows"].as_array().expect("rows");
    let of = |feature: &str, transform: &str, method: &str| {
        rows.iter()
            .find(|row| row["feature"] == feature && row["transform"] == transform && row["method"] == method)
    };
    assert!(of("promo", "differences", "pearson").expect("a row")["value"].as_f64() > Some(0.7));
    assert!(of("noise", "levels", "pearson").expect("a row")["abs_value"].as_f64() < Some(0.2));
    assert!(of("colour", "levels", "correlation_ratio").is_some());
    assert_eq!(strings(&document["feature_feature"]["features"]), ["promo", "noise", "colour"]);

    // A regression over time: about the same coefficient in all windows.
    let series = document["rolling"]["series"].as_array().expect("series");
    assert_eq!(series.len(), 8);
    assert_eq!(document["rolling"]["features"][0], "promo");
    for name in [
        "forecast_plot.csv",
        "feature_importance.csv",
        "shap_summary.csv",
        "feature_target_correlations.csv",
        "feature_feature_correlations.csv",
        "rolling_regression.csv",
    ] {
        assert!(finished.analysis(name).is_some_and(|text| text.lines().count() > 1), "{name}");
    }
}

#[test]
fn a_plot_has_history_forecast_and_backtest_on_one_axis() {
    let folder = TempDir::new().expect("a folder");
    // One series of days ends earlier than the other, and one has a gap.
    let mut text = "item_id,timestamp,target\n".to_owned();
    for step in 0..60 {
        let value = 10.0 + (step % 7) as f64 + 0.1 * (step * step % 11) as f64;
        writeln!(text, "long,{},{value}", day(step)).expect("a string takes it");
        if step < 50 && step != 45 {
            writeln!(text, "short,{},{}", day(step), 100.0 * value).expect("a string takes it");
        }
    }
    let path = folder.path().join("two.csv");
    fs::write(&path, text).expect("a file");
    let explain = ExplainOptions { trailing_history_steps: Some(10), ..ExplainOptions::default() };
    let options = Options { prediction_length: HORIZON, explain: Some(explain), ..options(&path) };
    let finished = forecast(options).expect("a forecast");
    let plot = finished.document("plot.json");
    assert_eq!(plot["freq"], "D");
    assert_eq!(plot["forecast_from"], Value::Null);
    assert_eq!(plot["total_series"], 2);
    let axis = strings(&plot["axis"]);
    assert!(axis.is_sorted_by(|a, b| a < b));
    assert_eq!((axis[0], axis[axis.len() - 1]), ("2024-02-10T00:00:00", "2024-03-07T00:00:00"));
    let series = plot["series"].as_array().expect("series");
    assert_eq!((&series[0]["item_id"], &series[1]["item_id"]), (&"short".into(), &"long".into()));
    assert_eq!((&series[0]["from"], &series[1]["from"]), (&0.into(), &10.into()));
    assert_eq!(series[0]["history"].as_array().map(Vec::len), Some(10));
    assert_eq!(series[0]["history"][5], Value::Null);
    for one in series {
        assert_eq!(one["mean"].as_array().map(Vec::len), Some(HORIZON));
        assert_eq!(one["quantiles"].as_array().map(Vec::len), Some(9));
        assert_eq!(one["backtest"]["mean"].as_array().map(Vec::len), Some(HORIZON));
        let from = one["from"].as_u64().expect("a place");
        assert_eq!(one["backtest"]["from"].as_u64(), Some(from + 3));
    }
    // The means of the table.
    let table = crate::support::rows(&finished.csv);
    let first = table.iter().find(|row| row.item == "short").expect("a row");
    close(&series[0]["mean"][0], first.mean, 1e-9);
    let csv = finished.analysis("forecast_plot.csv").expect("a table");
    assert!(csv.contains("short,2024-02-20T00:00:00,forecast,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 2 * (10 + 7 + 7));
}

#[test]
fn what_cannot_be_said_is_skipped_with_a_reason() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("short.csv");
    let mut text = "item_id,timestamp,target\n".to_owned();
    for step in 0..20 {
        writeln!(text, "a,{},{}", day(step), step * step % 7).expect("a string takes it");
    }
    fs::write(&path, text).expect("a file");
    let explain = ExplainOptions { rolling_regression_allowed: false, ..ExplainOptions::default() };
    let short = forecast(Options { explain: Some(explain), ..options(&path) }).expect("a forecast");
    let document = short.document("analyses.json");
    assert_eq!(strings(&document["completed"]), ["forecast_plot"]);
    for name in ["feature_importance", "shap", "feature_target_correlations", "feature_feature_correlations"]
    {
        assert_eq!(document["skipped"][name], "not_enough_rows", "{name}");
    }
    assert_eq!(document["skipped"]["rolling_regression"], "disabled_by_operator");
    assert!(short.analysis("feature_importance.csv").is_none());

    let mut text = "item_id,timestamp,target,flag\n".to_owned();
    for step in 0..120 {
        writeln!(text, "a,{},5,{}", day(step), if step < 100 { "1" } else { "" }).expect("a string takes it");
    }
    fs::write(&path, text).expect("a file");
    let constant = forecast(Options { explain: Some(ExplainOptions::default()), ..options(&path) });
    let document = constant.expect("a forecast").document("analyses.json");
    for name in ["feature_importance", "shap", "feature_target_correlations", "rolling_regression"] {
        assert_eq!(document["skipped"][name], "no_features", "{name}: {document}");
    }
}

#[test]
fn bounds_of_the_block_hold() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 3, 120);
    let explain = ExplainOptions {
        max_features: 2,
        max_rows: 60,
        shap_sample_size: 25,
        top_k_features: 1,
        ..ExplainOptions::default()
    };
    let finished = forecast(explained(&path, explain)).expect("a forecast");
    let document = finished.document("analyses.json");
    let importance = &document["importance"];
    if !importance.is_null() {
        assert!(importance["rows"].as_u64() <= Some(60) && importance["explained_rows"].as_u64() <= Some(25));
        assert!(importance["features"].as_array().is_some_and(|features| features.len() <= 2));
    }
    assert_eq!(strings(&document["feature_feature"]["features"]), ["promo", "noise"]);
    assert_eq!(strings(&document["feature_feature"]["beyond_limit"]), ["colour"]);
    for row in document["feature_target"]["rows"].as_array().expect("rows") {
        assert!(row["n"].as_u64() <= Some(60), "{row}");
    }
    for (field, wrong) in [
        ("max_rows", ExplainOptions { max_rows: 49, ..ExplainOptions::default() }),
        ("max_features", ExplainOptions { max_features: 0, ..ExplainOptions::default() }),
        ("top_k_features", ExplainOptions { top_k_features: 0, ..ExplainOptions::default() }),
        ("shap_sample_size", ExplainOptions { shap_sample_size: 0, ..ExplainOptions::default() }),
        (
            "trailing_history_steps",
            ExplainOptions { trailing_history_steps: Some(0), ..ExplainOptions::default() },
        ),
    ] {
        let failure = forecast(explained(&path, wrong)).map(|_| ()).expect_err("it is refused");
        assert!(failure.to_string().contains(field), "{failure}");
    }
}

#[test]
fn of_a_hierarchy_the_sums_are_drawn_and_the_series_are_judged() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 4, 120);
    let reconciliation =
        ReconciliationOptions { separator: "/".to_owned(), ..ReconciliationOptions::default() };
    let options =
        Options { reconciliation: Some(reconciliation), ..explained(&path, ExplainOptions::default()) };
    let finished = forecast(options).expect("a forecast");
    let plot = finished.document("plot.json");
    assert_eq!(plot["total_series"].as_u64(), Some(finished.summary.rows / HORIZON as u64));
    let first = plot["series"][0]["item_id"].as_str().expect("an id");
    assert!(!first.contains('/'), "{first} is no sum");
    assert_eq!(finished.findings["total_series"], 4);
    assert_eq!(finished.findings["findings"]["series"], 4);
    assert_eq!(finished.document("analyses.json")["skipped"], serde_json::json!({}));
}

#[test]
fn rows_that_gave_way_to_another_of_their_step_are_told() {
    let folder = TempDir::new().expect("a folder");
    let mut text = "item_id,timestamp,target\n".to_owned();
    for step in 0..120 {
        let value = 100 + 10 * (step % 7);
        writeln!(text, "a,{}T00:00:00,{value}", day(step)).expect("a string takes it");
        if step % 20 == 4 {
            writeln!(text, "a,{}T02:00:00,{}", day(step), value + 1).expect("a string takes it");
        }
    }
    let path = folder.path().join("twice.csv");
    fs::write(&path, text).expect("a file");
    let twice = Options { freq: Some("D".to_owned()), prediction_length: HORIZON, ..options(&path) };
    let finished = forecast(twice).expect("a forecast");
    let missing = &finished.findings["findings"]["single"]["missing"];
    assert_eq!((&missing["duplicates"], &missing["missing"]), (&6.into(), &0.into()), "{missing}");
}

#[test]
fn findings_name_dates_and_the_forecast_of_a_season() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 1, 200);
    let finished = forecast(explained(&path, ExplainOptions::default())).expect("a forecast");
    let Value::Object(dates) = &finished.findings["dates"] else { panic!("dates") };
    let findings = &finished.findings["findings"];
    assert_eq!(finished.findings["target"], "target");
    assert_eq!((&findings["item"], &findings["season_length"]), (&"shop/0".into(), &7.into()));
    assert_eq!(findings["newest"], 199);
    assert_eq!(dates["199"], "2024-07-18T00:00:00");
    assert!(findings["single"]["season"]["strength"].as_f64() > Some(0.3));
    assert!(
        findings["single"]["accuracy"]["skill"].as_f64() > Some(0.2),
        "{}",
        findings["single"]["accuracy"]
    );
    assert!(findings["confidence"]["value"].as_f64() > Some(0.4));
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 5, 150);
    let run = |threads: usize| {
        forecast(Options { threads, ..explained(&path, ExplainOptions::default()) }).expect("a forecast")
    };
    let (one, three) = (run(1), run(3));
    assert_eq!(one.findings, three.findings);
    for name in ["analyses.json", "plot.json", "shap_values.csv", "rolling_regression.csv"] {
        assert_eq!(one.analysis(name), three.analysis(name), "{name}");
    }
    check(&one);
}

#[test]
fn how_much_a_plot_shows_decides_nothing_else() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 20, 60);
    let plotted = |trailing_history_steps| {
        let explain = ExplainOptions {
            feature_importance: false,
            shap: false,
            rolling_regression: false,
            trailing_history_steps,
            ..ExplainOptions::default()
        };
        forecast(explained(&path, explain)).expect("a forecast")
    };
    let (usual, all) = (plotted(None), plotted(Some(1_000_000_000)));
    assert_eq!(usual.findings, all.findings);
    assert_eq!(all.findings["findings"]["series"], 20);
    let plot = all.document("plot.json");
    assert_eq!(plot["series"].as_array().map(Vec::len), Some(20));
    assert_eq!(plot["series"][0]["history"].as_array().map(Vec::len), Some(60));
}

/// Weeks have no main season: what repeats each year is told all the same, and errors are held against the last value.
#[test]
fn weeks_are_compared_with_the_year_before() {
    let folder = TempDir::new().expect("a folder");
    let weekly = Frequency::parse("W-MON").expect("a frequency");
    let mut noise = uniform();
    let mut text = "item_id,timestamp,target\n".to_owned();
    for step in 0..160_i64 {
        let mut stamp = Vec::new();
        write_pandas(weekly.advance(1_609_718_400_000_000, step), &mut stamp);
        let year = (step as f64 / 52.0 * std::f64::consts::TAU).sin();
        writeln!(text, "a,{},{:.2}", String::from_utf8_lossy(&stamp), 100.0 + 30.0 * year + 4.0 * noise())
            .expect("a string takes it");
    }
    let path = folder.path().join("weeks.csv");
    fs::write(&path, text).expect("a file");
    let options = Options { prediction_length: 8, freq: Some("W-MON".to_owned()), ..options(&path) };
    let finished = forecast(options).expect("a forecast");
    let findings = &finished.findings["findings"];
    assert_eq!((&findings["season_length"], &findings["accuracy"]["season_length"]), (&52.into(), &1.into()));
    assert_eq!(findings["single"]["season"]["length"], 52);
    let comparison = &findings["single"]["comparison"];
    assert_eq!((&comparison["seasons"], &comparison["previous_from"]), (&1.into(), &108.into()));
    assert!(comparison["relative"].as_f64().is_some_and(|change| change.abs() < 0.1), "{comparison}");
}

#[test]
fn covariates_that_are_called_as_engineered_features_are_told_apart() {
    let folder = TempDir::new().expect("a folder");
    let mut noise = uniform();
    let mut text = "item_id,timestamp,target,lag_7,steps_ahead,calendar\n".to_owned();
    for step in 0..150 + HORIZON {
        let (one, two, three) = (noise(), noise(), noise());
        let target = 100.0 + 30.0 * one + 10.0 * two + 5.0 * three + 5.0 * (step % 7) as f64;
        let target = if step < 150 { format!("{target:.2}") } else { String::new() };
        writeln!(text, "a,{},{target},{one:.3},{two:.3},{three:.3}", day(step)).expect("a string takes it");
    }
    let path = folder.path().join("names.csv");
    fs::write(&path, text).expect("a file");
    let names = ["lag_7", "steps_ahead", "calendar"].map(str::to_owned);
    let options = Options {
        columns: Columns { covariates: names.to_vec(), ..Columns::default() },
        ..explained(&path, ExplainOptions::default())
    };
    let finished = forecast(options).expect("a forecast");
    let importance = finished.analysis("feature_importance.csv").expect("a table");
    let mut names: Vec<String> = importance.lines().map(|line| line.split(',').take(2).collect()).collect();
    assert!(names.contains(&"featurelag_7 (covariate)".to_owned()), "{names:?}");
    assert!(names.contains(&"groupcalendar (covariate)".to_owned()), "{names:?}");
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "{names:?}");
    let document = finished.document("analyses.json");
    for feature in document["importance"]["features"].as_array().expect("features") {
        if feature["feature"].as_str().is_some_and(|name| name.starts_with("day_of_week")) {
            assert_eq!(feature["direction"], Value::Null);
        }
    }
}

#[test]
fn values_beyond_all_bounds_leave_no_empty_cells() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("large.csv");
    let mut text = "item_id,timestamp,target\n".to_owned();
    for step in 0..150 {
        let value = if step % 2 == 0 { "1e308" } else { "-1e308" };
        writeln!(text, "a,{},{value}", day(step)).expect("a string takes it");
    }
    fs::write(&path, text).expect("a file");
    let options = Options { explain: Some(ExplainOptions::default()), ..options(&path) };
    let finished = forecast(options).expect("a forecast");
    let findings = &finished.findings["findings"];
    assert_eq!(
        (&findings["series"], &findings["beyond"], &findings["empty"]),
        (&0.into(), &1.into(), &0.into())
    );
    let document = finished.document("analyses.json");
    assert_eq!(strings(&document["completed"]), ["forecast_plot"], "{}", document["skipped"]);
    assert!(strings(&document["warnings"]).iter().any(|text| text.contains("beyond 1e150")), "{document}");
}

/// Tables have as many cells in each line as names.
fn check(finished: &Finished) {
    for name in ["shap_values.csv", "forecast_plot.csv", "feature_importance.csv"] {
        let text = finished.analysis(name).expect(name);
        let width = text.lines().next().map(|line| line.split(',').count());
        assert!(text.lines().all(|line| Some(line.split(',').count()) == width), "{name}");
    }
}
