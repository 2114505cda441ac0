//! Rows combined into longer steps.

use std::fmt::Write;

use crate::support::{daily, filter, good, named, refused};

#[test]
fn weeks_end_on_their_day_and_incomplete_ones_are_dropped_from_sums() {
    // 2024-01-03 is a Wednesday: five days of a week, two weeks, and two days of another.
    let csv = daily("2024-01-03", &["1"; 21]);
    let weeks = |step: &str, aggregate: &str| {
        good(&csv, |request| {
            request.step = Some(step.into());
            request.aggregate = named(aggregate);
        })
    };
    let sums = weeks("W-SUN", "sum");
    assert_eq!(sums.lines(), ["a 2024-01-14 7", "a 2024-01-21 7"]);
    assert_eq!((sums.summary.incomplete_periods_dropped, sums.summary.rows_combined), (2, 17));
    let means = weeks("W-SUN", "mean");
    assert_eq!(means.lines().len(), 4);
    assert_eq!(means.summary.incomplete_periods_dropped, 0);
    // Exactly three weeks that end on Tuesdays.
    let whole = weeks("W-TUE", "sum");
    assert_eq!(whole.lines(), ["a 2024-01-09 7", "a 2024-01-16 7", "a 2024-01-23 7"]);
    assert_eq!(whole.summary.incomplete_periods_dropped, 0);
}

#[test]
fn missing_days_of_a_week_get_a_value_before_they_are_summed() {
    // Four weeks of 1, 2, ... 28, of which the tenth, the eleventh (a null) and the twentieth day are missing.
    let values: Vec<String> =
        (1..=28).map(|day| if day == 11 { String::new() } else { day.to_string() }).collect();
    let days = daily("2024-01-01", &values.iter().map(String::as_str).collect::<Vec<_>>());
    let without = |gone: &[&str]| {
        let kept = days.lines().filter(|line| !gone.iter().any(|day| line.contains(day)));
        kept.collect::<Vec<_>>().join("\n") + "\n"
    };
    let csv = without(&["2024-01-10", "2024-01-20"]);
    let of = |missing: &str| {
        good(&csv, |request| {
            request.step = Some("W-SUN".into());
            request.missing = named(missing);
        })
    };
    let whole = of("interpolate");
    assert_eq!(whole.column("target"), ["28", "77", "126", "175"]);
    assert_eq!(whole.summary.steps_filled, 3);
    assert_eq!(of("ffill").column("target"), ["28", "74", "125", "175"]);
    for as_they_are in ["none", "drop", "zero"] {
        assert_eq!(of(as_they_are).column("target"), ["28", "56", "106", "175"], "{as_they_are}");
    }
    // A week of which nothing is there is a missing step by itself.
    let week: Vec<String> = (8..=14).map(|day| format!("2024-01-{day:02}")).collect();
    let gone = without(&week.iter().map(String::as_str).collect::<Vec<_>>());
    let filled = good(&gone, |request| {
        request.step = Some("W-SUN".into());
        request.missing = named("interpolate");
    });
    assert_eq!(filled.column("target"), ["28", "77", "126", "175"]);
}

#[test]
fn months_are_stamped_at_the_edge_that_the_step_names() {
    let csv = daily("2024-01-01", &["2"; 60]);
    let months = |step: &str| good(&csv, |request| request.step = Some(step.into())).lines();
    assert_eq!(months("MS"), ["a 2024-01-01 62", "a 2024-02-01 58"]);
    assert_eq!(months("ME"), ["a 2024-01-31 62", "a 2024-02-29 58"]);
}

#[test]
fn the_edges_are_those_of_the_whole_data_and_of_the_times_that_are_asked_for() {
    // Shop b begins later and ends earlier than the data: its weeks are complete, as those of the table are.
    let mut csv = daily("2024-01-01", &["1"; 28]);
    csv += "b,2024-01-10,5\nb,2024-01-11,5\nb,2024-01-17,5\n";
    let of = |filters: Vec<_>| {
        good(&csv, |request| {
            request.step = Some("W-SUN".into());
            request.filters = filters;
        })
    };
    assert_eq!(of(vec![filter("item_id", "eq", &["b"])]).lines(), ["b 2024-01-14 10", "b 2024-01-21 5"]);
    // A part of a week that was asked for is a part of a week all the same.
    let cut = of(vec![filter("item_id", "eq", &["a"]), filter("timestamp", "gte", &["2024-01-10"])]);
    assert_eq!(cut.lines(), ["a 2024-01-21 7", "a 2024-01-28 7"]);
    assert_eq!(cut.summary.incomplete_periods_dropped, 1);
}

#[test]
fn rows_at_any_times_cover_the_days_that_they_are_on() {
    let csv = "item_id,timestamp,target\na,2024-01-01 09:13,1\na,2024-01-01 17:05,2\na,2024-01-03 08:00,4\n\
               a,2024-01-07 23:10,8\na,2024-01-08 07:55,16\na,2024-01-08 07:59,32\na,2024-01-14 11:00,64\n";
    let days = good(csv, |request| request.step = Some("D".into()));
    assert_eq!(days.column("target"), ["3", "4", "8", "48", "64"]);
    let weeks = good(csv, |request| request.step = Some("W-SUN".into()));
    assert_eq!(weeks.lines(), ["a 2024-01-07 15", "a 2024-01-14 112"]);
    let hours = good(csv, |request| request.step = Some("h".into()));
    assert_eq!(hours.column("target"), ["2", "4", "8", "48"]);
    assert_eq!(hours.summary.incomplete_periods_dropped, 2);
}

#[test]
fn the_future_keeps_its_steps_without_targets() {
    let mut csv = "item_id,timestamp,target,price\n".to_owned();
    for day in 1..=28 {
        // The last day with a target is Friday, 19 January.
        let target = if day <= 19 { "1" } else { "" };
        writeln!(csv, "a,2024-01-{day:02},{target},{day}").expect("text");
    }
    let prepared = good(&csv, |request| {
        request.step = Some("W-SUN".into());
        request.columns.covariates = vec!["price".into()];
    });
    let expected = ["a 2024-01-07 7", "a 2024-01-14 7", "a 2024-01-21", "a 2024-01-28"];
    assert_eq!(prepared.lines(), expected);
    assert_eq!(prepared.column("price"), ["4", "11", "18", "25"]);
    assert_eq!(prepared.summary.incomplete_periods_dropped, 1);
}

#[test]
fn months_of_quarters_are_covered_when_no_other_month_could_be_in_them() {
    let mut csv = "item_id,timestamp,target\n".to_owned();
    for month in 1..=8 {
        writeln!(csv, "a,2024-{month:02}-01,1").expect("text");
    }
    let quarters = good(&csv, |request| request.step = Some("QS".into()));
    assert_eq!(quarters.lines(), ["a 2024-01-01 3", "a 2024-04-01 3"]);
    let error = refused(&csv, |request| request.step = Some("W-SUN".into()));
    assert_eq!((error.code, error.column.as_deref()), ("step_too_fine", Some("timestamp")));
    let error = refused(&csv, |request| request.step = Some("YS".into()));
    assert_eq!(error.code, "no_complete_period");
}

#[test]
fn a_step_without_a_value_has_none_and_sums_stay_finite() {
    let csv = daily("2024-01-01", &["", "", "", "", "", "", "", "1", "1", "1", "1", "1", "1", "1"]);
    let prepared = good(&csv, |request| request.step = Some("W-SUN".into()));
    assert_eq!(prepared.lines(), ["a 2024-01-07", "a 2024-01-14 7"]);
    let csv = daily("2024-01-01", &["1e308"; 7]);
    let error = refused(&csv, |request| request.step = Some("W-SUN".into()));
    assert_eq!(error.code, "non_finite_target");
}

#[test]
fn what_is_no_frequency_is_refused() {
    let csv = daily("2024-01-01", &["1", "2"]);
    assert_eq!(refused(&csv, |request| request.step = Some("fortnight".into())).code, "invalid_frequency");
}
