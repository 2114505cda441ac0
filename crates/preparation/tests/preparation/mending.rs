//! Missing steps and values that stand out.

use std::fmt::Write;

use crate::support::{daily, good, named, refused};

/// Days 2 and 3 have no row, day 5 has no target; a row behind the last target is the future.
const GAPS: &str = "item_id,timestamp,target\na,2024-01-01,2\na,2024-01-04,8\na,2024-01-05,\na,2024-01-06,4\na,2024-01-07,\n";

fn filled(method: &str) -> String {
    let prepared = good(GAPS, |request| {
        request.missing = named(method);
        request.freq = Some("D".into());
    });
    let figures = (prepared.summary.steps_filled, prepared.summary.steps_dropped);
    let expected = match method {
        "none" => (0, 0),
        "drop" => (0, 1),
        _ => (3, 0),
    };
    assert_eq!(figures, expected, "{method}");
    prepared.lines().iter().map(|line| line.replace("a 2024-01-0", "")).collect::<Vec<_>>().join(", ")
}

#[test]
fn every_method_fills_the_steps_between_the_values_of_a_series() {
    assert_eq!(filled("ffill"), "1 2, 2 2, 3 2, 4 8, 5 8, 6 4, 7");
    assert_eq!(filled("bfill"), "1 2, 2 8, 3 8, 4 8, 5 4, 6 4, 7");
    assert_eq!(filled("interpolate"), "1 2, 2 4, 3 6, 4 8, 5 6, 6 4, 7");
    assert_eq!(filled("zero"), "1 2, 2 0, 3 0, 4 8, 5 0, 6 4, 7");
    let third = 14.0 / 3.0;
    assert_eq!(filled("mean"), format!("1 2, 2 {third}, 3 {third}, 4 8, 5 {third}, 6 4, 7"));
    assert_eq!(filled("drop"), "1 2, 4 8, 6 4, 7");
    assert_eq!(filled("none"), "1 2, 4 8, 5, 6 4, 7");
}

#[test]
fn covariates_of_steps_that_were_not_there_are_missing() {
    let csv =
        "item_id,timestamp,target,price,kind\na,2024-01-01,1,5,x\na,2024-01-03,3,7,y\na,2024-01-04,4,8,z\n";
    let prepared = good(csv, |request| {
        request.missing = named("ffill");
        request.freq = Some("D".into());
        request.columns.covariates = vec!["price".into(), "kind".into()];
    });
    assert_eq!(prepared.column("target"), ["1", "1", "3", "4"]);
    assert_eq!(prepared.column("price"), ["5", "", "7", "8"]);
    assert_eq!(prepared.column("kind"), ["x", "", "y", "z"]);
}

#[test]
fn a_step_that_was_not_there_has_the_columns_that_name_its_series() {
    let csv = "region,shop,price,timestamp,target\nnorth,1,5,2024-01-01,1\nnorth,1,7,2024-01-03,3\n\
        north,1,7,2024-01-04,3\nsouth,2,1,2024-01-01,8\nsouth,2,1,2024-01-02,9\nsouth,2,1,2024-01-04,9\n";
    let prepared = good(csv, |request| {
        request.missing = named("ffill");
        request.freq = Some("D".into());
        request.columns.covariates = vec!["price".into()];
        request.hierarchy = Some(tabcast_table::HierarchyColumns {
            columns: vec!["region".into(), "shop".into()],
            separator: "/".into(),
            total_label: "total".into(),
        });
    });
    assert_eq!(
        prepared.column("region"),
        ["north", "north", "north", "north", "south", "south", "south", "south"]
    );
    assert_eq!(prepared.column("shop"), ["1", "1", "1", "1", "2", "2", "2", "2"]);
    assert_eq!(prepared.column("price"), ["5", "", "7", "7", "1", "1", "", "1"]);
    assert_eq!(prepared.column("target"), ["1", "1", "3", "3", "8", "9", "9", "9"]);
}

#[test]
fn missing_weeks_are_filled_with_their_stamps() {
    let csv = "item_id,timestamp,target\na,2024-01-01,1\na,2024-01-02,1\na,2024-01-03,1\na,2024-01-24,1\na,2024-01-28,3\n";
    let prepared = good(csv, |request| {
        request.step = Some("W-SUN".into());
        request.missing = named("zero");
    });
    let expected = ["a 2024-01-07 3", "a 2024-01-14 0", "a 2024-01-21 0", "a 2024-01-28 4"];
    assert_eq!(prepared.lines(), expected);
}

#[test]
fn a_step_that_cannot_be_told_and_a_gap_without_end_are_refused() {
    let csv = "item_id,timestamp,target\na,2024-01-01,1\na,2024-01-02,1\na,2024-01-09,1\na,2024-02-03,1\n";
    assert_eq!(refused(csv, |request| request.missing = named("zero")).code, "frequency_not_inferred");
    let csv = "item_id,timestamp,target\na,2024-01-01 00:00:00,1\na,2024-01-01 00:00:01,1\na,2024-03-01,1\n";
    let error = refused(csv, |request| {
        request.missing = named("zero");
        request.freq = Some("s".into());
        request.limits.max_rows = 1_000;
    });
    assert_eq!(error.code, "too_many_rows");
}

#[test]
fn filled_steps_of_all_series_count_together_and_gaps_that_stay_do_not() {
    let csv = (0..10).fold(String::from("item_id,timestamp,target\n"), |csv, series| {
        csv + &format!(
            "s{series},2022-01-01,1\ns{series},2022-01-02,1\ns{series},2022-01-03,2\ns{series},2023-06-01,2\n"
        )
    });
    let with = |missing: &'static str| {
        move |request: &mut tabcast_preparation::Request| {
            request.missing = named(missing);
            request.anomalies = named("clip");
            request.freq = Some("D".into());
            request.limits.max_rows = 4_000;
        }
    };
    assert_eq!(refused(&csv, with("ffill")).code, "too_many_rows");
    assert_eq!(good(&csv, with("none")).lines().len(), 40);
}

/// Three rows for each of `series` series: on the first two days, and `days` after the first. `covariates`: the number
/// of columns beside the target.
fn far_apart(series: usize, days: i64, covariates: usize) -> String {
    let stamps = [0, 1, days].map(|day| crate::support::date(day * 86_400_000_000));
    let names = (0..covariates).fold(String::new(), |names, column| format!("{names},c{column}"));
    let cells = ",1".repeat(covariates);
    (0..series).fold(format!("item_id,timestamp,target{names}\n"), |mut csv, item| {
        for stamp in &stamps {
            writeln!(csv, "s{item},{stamp},1{cells}").expect("text");
        }
        csv
    })
}

#[test]
fn gaps_of_many_short_series_are_counted_together_before_any_is_filled() {
    let with = |missing: &'static str, covariates: usize| {
        move |request: &mut tabcast_preparation::Request| {
            request.missing = named(missing);
            request.anomalies = named("flag");
            request.freq = Some("D".into());
            request.columns.covariates = (0..covariates).map(|column| format!("c{column}")).collect();
        }
    };
    // Neither the limit of one series nor `max_rows` is exceeded.
    let csv = far_apart(700, 9_999, 0);
    for missing in ["ffill", "zero", "mean"] {
        let error = refused(&csv, with(missing, 0));
        assert_eq!((error.code, error.kind.status()), ("gap_too_long", 422));
        assert!(error.message.contains("7000000 rows instead of 2100"), "{}", error.message);
        assert_eq!(error.item.as_deref(), Some("s0"));
        assert!(error.suggestion.is_some_and(|text| text.contains("wrong time stamp")));
    }
    for missing in ["none", "drop"] {
        assert_eq!(good(&csv, with(missing, 0)).frame.rows, 2_100);
    }
    // A part that is sold only now and then is not a mistake.
    let csv = far_apart(700, 1_094, 0);
    let filled = good(&csv, with("zero", 0)).summary;
    assert_eq!((filled.rows_written, filled.steps_filled), (700 * 1_095, 700 * 1_092));
    // Every covariate takes as much memory as the target.
    let csv = far_apart(700, 1_094, 9);
    assert_eq!(refused(&csv, with("zero", 9)).code, "gap_too_long");
}

#[test]
fn a_sparse_series_is_named() {
    let csv = far_apart(3, 30, 0) + "gone,1970-01-01,1\ngone,2020-01-01,2\n";
    let error = refused(&csv, |request| {
        request.missing = named("ffill");
        request.freq = Some("D".into());
    });
    assert_eq!((error.code, error.item.as_deref()), ("gap_too_long", Some("gone")));
}

#[test]
fn two_rows_on_a_step_are_left_for_the_reader_to_judge() {
    let csv = daily("2024-01-01", &["1"; 20]) + "a,2024-01-20,2\na,2024-01-22,3\n";
    let prepared = good(&csv, |request| {
        request.missing = named("zero");
        request.freq = Some("D".into());
    });
    assert_eq!((prepared.frame.rows, prepared.summary.steps_filled), (22, 0));
}

/// A season of weeks with some noise; day 40 has a hundred times what is usual.
fn spiked() -> Vec<String> {
    let value = |day: usize| match day {
        40 => 1_000.0,
        _ => 10.0 + (day % 7) as f64 + f64::from((day * 7919 % 13) as u32) / 13.0,
    };
    (0..84).map(|day| format!("{:.4}", value(day))).collect()
}

fn handled(anomalies: &str, missing: &str) -> (Vec<f64>, tabcast_preparation::AnomalySummary) {
    let values = spiked();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let prepared = good(&daily("2024-01-01", &values), |request| {
        request.anomalies = named(anomalies);
        request.missing = named(missing);
    });
    let targets = prepared.column("target");
    (targets.iter().map(|text| text.parse().unwrap_or(f64::NAN)).collect(), prepared.summary.anomalies)
}

#[test]
fn anomalies_are_flagged_clipped_replaced_or_removed() {
    let (flagged, summary) = handled("flag", "none");
    assert_eq!((summary.found, summary.changed), (1, 0));
    assert_eq!((summary.examples[0].value, summary.examples[0].used_instead), (1_000.0, None));
    assert_eq!(flagged[40], 1_000.0);
    let (clipped, summary) = handled("clip", "none");
    assert_eq!((summary.found, summary.changed), (1, 1));
    assert_eq!(summary.examples[0].used_instead, Some(clipped[40]));
    assert!((14.0..25.0).contains(&clipped[40]), "{}", clipped[40]);
    let (line, summary) = handled("interpolate", "none");
    assert!((line[40] - f64::midpoint(line[39], line[41])).abs() < 1e-9);
    assert_eq!(summary.changed, 1);
    let (removed, summary) = handled("remove", "none");
    assert!(removed[40].is_nan());
    assert_eq!((summary.changed, summary.examples[0].used_instead), (1, None));
    let (refilled, summary) = handled("remove", "ffill");
    assert_eq!(refilled[40], refilled[39]);
    assert_eq!(summary.examples[0].used_instead, Some(refilled[39]));
    let (dropped, _) = handled("remove", "drop");
    assert_eq!(dropped.len(), 83);
    // Nothing else is touched.
    for other in [&clipped, &line, &refilled] {
        let others = (0..84).filter(|day| *day != 40);
        assert!(others.clone().all(|day| other[day] == flagged[day]));
    }
}

#[test]
fn a_last_value_that_is_removed_does_not_move_the_beginning_of_the_forecast() {
    let mut values = spiked();
    values[40] = "14.5".into();
    values[83] = "1000".into();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    for missing in ["none", "drop", "ffill"] {
        let prepared = good(&daily("2024-01-01", &values), |request| {
            request.anomalies = named("remove");
            request.missing = named(missing);
        });
        let targets = prepared.column("target");
        assert_eq!((targets.len(), &targets[83]), (84, &targets[82]), "{missing}");
        let anomalies = &prepared.summary.anomalies;
        assert_eq!((anomalies.found, anomalies.changed), (1, 1));
        assert_eq!(anomalies.examples[0].used_instead, targets[82].parse().ok());
    }
}

#[test]
fn no_more_than_twenty_anomalies_are_shown() {
    let mut csv = "item_id,timestamp,target\n".to_owned();
    for item in 10..40 {
        for (day, value) in spiked().iter().enumerate() {
            let date = crate::support::date(1_704_067_200_000_000 + day as i64 * 86_400_000_000);
            writeln!(csv, "{item},{date},{value}").expect("text");
        }
    }
    let summary = good(&csv, |request| request.anomalies = named("flag")).summary;
    assert_eq!((summary.anomalies.found, summary.anomalies.examples.len()), (30, 20));
    assert_eq!(summary.anomalies.examples[19].item_id, "29");
}

#[test]
fn an_example_has_a_long_item_id_cut_and_the_rows_have_it_whole() {
    let id = "\u{1F600}".repeat(30_000);
    let mut csv = "item_id,timestamp,target\n".to_owned();
    for (day, value) in spiked().iter().enumerate() {
        let date = crate::support::date(1_704_067_200_000_000 + day as i64 * 86_400_000_000);
        writeln!(csv, "{id},{date},{value}").expect("text");
    }
    let prepared = good(&csv, |request| request.anomalies = named("flag"));
    assert_eq!(prepared.summary.anomalies.examples[0].item_id, format!("{}…", "\u{1F600}".repeat(200)));
    assert_eq!(prepared.column("item_id")[0], id);
}

#[test]
fn an_ordinary_series_has_no_anomaly() {
    let values: Vec<String> = spiked()
        .into_iter()
        .enumerate()
        .map(|(day, value)| if day == 40 { "15.2".into() } else { value })
        .collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let prepared = good(&daily("2024-01-01", &values), |request| request.anomalies = named("remove"));
    assert_eq!(prepared.summary.anomalies.found, 0);
    assert_eq!(prepared.frame.rows, 84);
}

#[test]
fn a_wrong_time_stamp_is_no_gap_to_be_filled() {
    let mut csv = "item_id,timestamp,target\n".to_owned();
    for second in 0..60 {
        writeln!(csv, "a,2024-01-01 00:00:{second:02},{second}").unwrap();
    }
    csv += "a,2025-01-01 00:00:00,1\n";
    for change in ["ffill", "drop"] {
        let error = refused(&csv, |request| {
            request.missing = named(change);
            request.freq = Some("s".into());
        });
        assert_eq!(error.code, "gap_too_long");
    }
}

#[test]
fn doubled_rows_are_left_for_the_reader_to_count() {
    let csv = "item_id,timestamp,target\na,2024-01-01,1\na,2024-01-01,1\na,2024-01-02,2\na,2024-01-02,2\n";
    let prepared = good(csv, |request| request.missing = named("ffill"));
    assert_eq!(prepared.column("target"), ["1", "1", "2", "2"]);
}
