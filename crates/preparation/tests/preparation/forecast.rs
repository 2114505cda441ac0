//! What is written can be forecast, with the step that was asked for.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use tabcast_forecast::{Config, Control, Options, check};
use tabcast_preparation::prepare;

use crate::support::{date, request};

/// The frequency that the forecast sees, given or not, in hourly data of 800 days combined into steps.
fn seen(step: &str, given: Option<&str>) -> (String, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut csv = "item_id,timestamp,target,price\n".to_owned();
    for hour in 0..800 * 24_i64 {
        let day = date(1_704_067_200_000_000 + hour / 24 * 86_400_000_000);
        writeln!(csv, "a,{day} {:02}:00,{},{}", hour % 24, hour % 7 + 1, hour % 5).expect("text");
    }
    std::fs::write(folder.path().join("input.csv"), csv).expect("a file");
    let mut request = request(folder.path());
    request.step = Some(step.into());
    request.columns.covariates = vec!["price".into()];
    let output = request.output.clone();
    let cancel = AtomicBool::new(false);
    prepare(&request.resolve(&cancel).expect("options")).expect("a prepared file");
    let mut options = Options::new(output, 2);
    options.freq = given.map(ToOwned::to_owned);
    options.columns.covariates = vec!["price".into()];
    let (profile, warnings) =
        check(&Config::resolve(options).expect("a config"), &Control::new()).expect("a dataset");
    assert!(warnings.iter().all(|warning| warning.code != "irregular_gaps"), "{step}: {warnings:?}");
    (profile.freq, profile.rows)
}

#[test]
fn every_step_is_the_one_that_a_forecast_of_it_sees() {
    for step in ["2h", "6h", "D", "2D", "W-SUN", "W-WED", "MS", "ME", "QS", "QE", "QS-FEB", "QE-NOV"] {
        let (freq, rows) = seen(step, Some(step));
        assert_eq!(freq, step);
        assert!(rows > 5, "{step}: {rows} rows");
        assert_eq!(seen(step, None).0, step, "inferred");
    }
    // Weekends belong to the Friday before.
    assert_eq!(seen("B", Some("B")).0, "B");
    assert_eq!(seen("YS-MAR", Some("YS-MAR")).0, "YS-MAR");
}
