//! Covariates of sums.

use std::fmt::Write as _;

use super::{METHODS, check_sums, columns, month, run, with};
use crate::support::{Finished, rows, uniform};
use tabcast_forecast::{Failure, Options, ReconciliationOptions};

#[test]
fn covariates_must_be_known_for_the_steps_that_are_forecast_of_all() {
    let mut text = "item_id,timestamp,target,promo\n".to_owned();
    for (id, end, rows) in [("a/x", 94, 100), ("a/y", 92, 98)] {
        for index in 0..rows {
            let promo = u8::from(index % 5 == 2);
            let target = if index < end { (100 + 50 * u32::from(promo)).to_string() } else { String::new() };
            writeln!(text, "{id},{},{target},{promo}", 1_577_836_800_i64 + index * 86_400)
                .expect("a string takes it");
        }
    }
    let with_promo = |options: &mut Options| options.columns.covariates = vec!["promo".to_owned()];
    match run(&text, ReconciliationOptions::default(), with_promo) {
        Err(Failure::Content(error)) => {
            assert_eq!(error.code, "partial_future_covariate", "{error:?}");
            assert!(error.message.contains("'a/y'"), "{}", error.message);
        }
        _ => panic!("two days of a/y are not known"),
    }
}

#[test]
fn covariates_reach_the_sums() {
    let mut random = uniform();
    let mut text = "region,shop,timestamp,target,visitors,holiday,weather\n".to_owned();
    for (region, shop) in [("north", "a"), ("north", "b"), ("south", "a")] {
        for index in 0..54 {
            let visitors = 20.0 + (80.0 * random()).floor();
            let holiday = u8::from(index % 9 == 0);
            let weather = if random() > 0.7 { "rain" } else { "sun" };
            let target = if index < 48 {
                format!("{:.2}", 3.0 * visitors + 50.0 * f64::from(holiday) + random())
            } else {
                String::new()
            };
            writeln!(text, "{region},{shop},{},{target},{visitors},{holiday},{weather}", month(index))
                .expect("a string takes it");
        }
    }
    let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..ReconciliationOptions::default() };
    let covariates = ["visitors", "holiday", "weather"].map(str::to_owned).to_vec();
    let finished =
        run(&text, wanted.clone(), |options| options.columns.covariates = covariates).expect("a forecast");
    check_sums(&finished, "total", "/");
    let blind = run(&text, wanted, |_| ()).expect("a forecast");
    let width = |finished: &Finished| {
        let total = &rows(&finished.csv)[..6];
        total.iter().map(|row| row.quantiles[8] - row.quantiles[0]).sum::<f64>()
    };
    assert!(width(&finished) < 0.3 * width(&blind), "{} {}", width(&finished), width(&blind));
}

#[test]
fn covariates_of_series_with_other_times_of_day_count_as_well() {
    let mut random = uniform();
    let mut text = "item_id,timestamp,target,visitors\n".to_owned();
    for (item, time, level) in [("a", "00:00", 3.0), ("b", "09:30", 5.0)] {
        for day in 0..60 {
            let visitors = 20.0 + (80.0 * random()).floor();
            let target = if day < 54 { format!("{:.2}", level * visitors + random()) } else { String::new() };
            // June has 30 days, July more than are needed.
            let date = format!("2024-{:02}-{:02}", 6 + day / 30, 1 + day % 30);
            writeln!(text, "{item},{date} {time}:00,{target},{visitors}").expect("a string takes it");
        }
    }
    let covariates = vec!["visitors".to_owned()];
    let finished = run(&text, with(METHODS[0]), |options| options.columns.covariates = covariates);
    let finished = finished.expect("a forecast");
    check_sums(&finished, "total", "/");
    let blind = run(&text, with(METHODS[0]), |_| ()).expect("a forecast");
    for node in 0..3 {
        let width = |finished: &Finished| {
            let rows = &rows(&finished.csv)[6 * node..6 * node + 6];
            rows.iter().map(|row| row.quantiles[8] - row.quantiles[0]).sum::<f64>()
        };
        assert!(width(&finished) < 0.3 * width(&blind), "{} {}", width(&finished), width(&blind));
    }
}
