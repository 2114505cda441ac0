//! The `feature_engineering` block through the whole engine.

use std::fmt::Write;
use std::fs;

use serde_json::Value;
use tabcast_forecast::{Failure, FeatureEngineering};
use tempfile::TempDir;

use crate::support::{Finished, check_invariants, forecast, named, options, uniform};

/// Days that go back to their mean after a shock, with a week; every third series has 20 values.
fn run(preset: &str, block: Option<FeatureEngineering>, threads: usize) -> Result<Finished, Failure> {
    let folder = TempDir::new().expect("a folder");
    let mut text = String::from("item_id,timestamp,target\n");
    let mut noise = uniform();
    for id in 0..30 {
        let mut shock = 0.0;
        for day in 0..if id % 3 == 0 { 20 } else { 110 } {
            shock = 0.7 * shock + 4.0 * (noise() - 0.5);
            let value = 30.0 + f64::from(id) + 2.0 * f64::from(day % 7) + shock;
            let seconds = 1_704_067_200 + i64::from(day) * 86_400;
            writeln!(text, "s{id:02},{seconds},{value}").expect("a string takes everything");
        }
    }
    let path = folder.path().join("panel.csv");
    fs::write(&path, text).expect("the panel is written");
    let mut options = options(&path);
    options.preset = named(preset);
    options.feature_engineering = block;
    options.threads = threads;
    forecast(options)
}

#[test]
fn the_features_of_the_block_are_used_and_listed_in_every_preset() {
    for (preset, member) in
        [("fast", "pooled_ridge"), ("balanced", "global_direct"), ("best", "global_recursive")]
    {
        let finished = run(preset, Some(FeatureEngineering::default()), 2).expect("a forecast");
        check_invariants(preset, &finished);
        let features = finished.report["features"].as_array().expect("names");
        assert!(
            features.contains(&Value::from("day_of_week_sin")) && features.contains(&Value::from("lag_30"))
        );
        let scores = finished.report["classes"][0]["leaderboard"]["scores"].as_array().expect("scores");
        assert!(scores.iter().any(|score| score["model"] == member), "{preset}: {scores:?}");
        let lacking =
            finished.summary.warnings.iter().find(|found| found.code == "features_longer_than_history");
        assert_eq!(lacking.expect("a warning").count, 10, "{preset}");
        let plain = run(preset, None, 2).expect("a forecast");
        assert!(plain.report.get("features").is_none() && plain.csv != finished.csv, "{preset}");
    }
}

#[test]
fn a_block_that_is_off_changes_nothing_and_threads_do_not_either() {
    let off = FeatureEngineering {
        time_features: false,
        cyclical_encoding: false,
        lag_features: false,
        rolling_features: false,
        growth_features: false,
        event_flags: false,
        ..FeatureEngineering::default()
    };
    let plain = run("fast", None, 2).expect("a forecast");
    assert_eq!(run("fast", Some(off), 1).expect("a forecast").csv, plain.csv);
    assert!(plain.report["classes"][0].get("leaderboard").is_none(), "fast learns nothing without the block");
    let on = || Some(FeatureEngineering::default());
    assert_eq!(run("fast", on(), 1).expect("one").csv, run("fast", on(), 3).expect("three").csv);
}

#[test]
fn what_the_block_must_not_ask_for_is_refused() {
    let block = FeatureEngineering { lag_periods: vec![0], ..FeatureEngineering::default() };
    let refused = run("fast", Some(block), 1).err().expect("a refusal");
    assert!(refused.to_string().contains("lag_periods"), "{refused}");
}
