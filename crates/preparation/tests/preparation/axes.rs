//! Rows of one time are combined first, then those of a step, each as it is asked for.

use std::collections::BTreeMap;
use std::fmt::Write;

use proptest::prelude::*;
use tabcast_calendar::parse_timestamp;

use crate::support::{Prepared, date, good, named, prepared, refused};

const DAY: i64 = 86_400_000_000;
/// A Monday.
const START: i64 = 1_704_067_200_000_000;
const WAYS: [&str; 4] = ["sum", "mean", "max", "min"];

/// Two substations, hourly, over two days and three hours of a third.
fn load() -> String {
    let mut csv = "item_id,region,timestamp,target,price\n".to_owned();
    for hour in 0..51 {
        for (station, base) in [("a", 10), ("b", 100)] {
            let (day, clock) = (1 + hour / 24, hour % 24);
            let load = base + clock % 12 * 3;
            writeln!(csv, "{station},North,2024-01-{day:02} {clock:02}:00,{load},{clock}").expect("text");
        }
    }
    csv
}

fn combined(csv: &str, step: Option<&str>, aggregate: &str, across: Option<&str>) -> Prepared {
    good(csv, |request| {
        request.series_columns = Some(vec!["region".into()]);
        request.step = step.map(str::to_owned);
        request.aggregate = named(aggregate);
        request.across = across.map(named);
        request.columns.covariates = vec!["price".into()];
    })
}

#[test]
fn a_total_over_series_is_a_mean_or_a_peak_over_time() {
    let csv = load();
    // A day's mean of 110 and twice 0, 3, ... 33.
    let means = combined(&csv, Some("D"), "mean", Some("sum"));
    assert_eq!(means.lines()[..2], ["North 2024-01-01 143", "North 2024-01-02 143"]);
    assert_eq!(means.lines().len(), 3, "a mean of three hours is a mean");
    assert_eq!((means.summary.rows_combined, means.summary.rows_combined_across), (99, 51));
    let peaks = combined(&csv, Some("D"), "max", Some("sum"));
    assert_eq!(peaks.lines(), ["North 2024-01-01 176", "North 2024-01-02 176"], "and no peak of three hours");
    assert_eq!(peaks.summary.incomplete_periods_dropped, 1);
    assert_eq!(combined(&csv, Some("D"), "min", Some("max")).column("target"), ["100", "100"]);
    assert_eq!(peaks.column("price"), ["11.5", "11.5"], "covariates keep their mean");
    let totals = combined(&csv, None, "mean", Some("sum"));
    assert_eq!((totals.cell("target", 1).as_str(), totals.summary.rows_combined_across), ("116", 51));
    let error =
        refused("item_id,timestamp,target\na,2024-01-01 00:00,1\na,2024-01-01 01:00,2\n", |request| {
            request.step = Some("D".into());
            request.aggregate = named("max");
        });
    assert_eq!(error.code, "no_complete_period");
    assert!(error.message.ends_with("too short for largest values"), "{}", error.message);
}

#[test]
fn missing_steps_of_the_data_are_filled_with_what_series_are_together() {
    // The mean of the two is 2, 4, nothing, 8 for six hours each, in each of two days.
    let mut csv = "item_id,region,timestamp,target,price\n".to_owned();
    for hour in (0..48).filter(|hour| !(12..18).contains(&(hour % 24))) {
        for (station, factor) in [("a", 1), ("b", 3)] {
            let (day, clock) = (1 + hour / 24, hour % 24);
            writeln!(csv, "{station},N,2024-01-{day:02} {clock:02}:00,{},", factor * (1 + clock / 6))
                .expect("text");
        }
    }
    let of = |missing: &str| {
        good(&csv, |request| {
            request.series_columns = Some(vec!["region".into()]);
            request.step = Some("D".into());
            request.across = Some(named("mean"));
            request.missing = named(missing);
        })
    };
    assert_eq!(of("none").column("target"), ["84", "84"]);
    assert_eq!(of("ffill").column("target"), ["108", "108"]);
    assert_eq!(of("ffill").summary.steps_filled, 12);
}

#[test]
fn what_is_too_large_on_the_way_is_refused() {
    let mut csv = "item_id,region,timestamp,target,price\n".to_owned();
    for day in 1..=7 {
        for station in ["a", "b"] {
            let target = if day % 2 == 0 { "1e308" } else { "-1e308" };
            writeln!(csv, "{station},N,2024-01-{day:02},{target},").expect("text");
        }
    }
    for aggregate in ["mean", "max", "min"] {
        let error = refused(&csv, |request| {
            request.series_columns = Some(vec!["region".into()]);
            request.step = Some("W-SUN".into());
            request.aggregate = named(aggregate);
            request.across = Some(named("sum"));
        });
        assert_eq!(error.code, "non_finite_target", "{aggregate}");
    }
}

/// Group, series, day, and a whole target or none.
type Row = (u8, u8, i64, Option<i32>);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let target = prop_oneof![4 => (-1000..1000_i32).prop_map(Some), 1 => Just(None)];
    prop::collection::vec((0..2_u8, 0..3_u8, 0..60_i64, target), 1..200)
}

fn table(rows: &[Row]) -> String {
    let mut csv = "group,item_id,timestamp,target\n".to_owned();
    for (group, item, day, target) in rows {
        let target = target.map_or_else(String::new, |target| target.to_string());
        writeln!(csv, "g{group},s{item},{},{target}", date(START + day * DAY)).expect("text");
    }
    csv
}

fn plain(way: &str, numbers: &[f64]) -> f64 {
    let sum: f64 = numbers.iter().sum();
    match way {
        "sum" => sum,
        "mean" => sum / numbers.len() as f64,
        "max" => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        _ => numbers.iter().copied().fold(f64::INFINITY, f64::min),
    }
}

/// By group and week: the weeks begin on the day `START` and seven days later.
fn reference(rows: &[Row], across: &str, over: &str) -> BTreeMap<(u8, i64), f64> {
    let mut steps: BTreeMap<(u8, i64), BTreeMap<i64, Vec<f64>>> = BTreeMap::new();
    for (group, _, day, target) in rows {
        if let Some(target) = target {
            let times = steps.entry((*group, day / 7)).or_default();
            times.entry(*day).or_default().push(f64::from(*target));
        }
    }
    let of = |times: BTreeMap<i64, Vec<f64>>| {
        if across == over {
            return plain(over, &times.into_values().flatten().collect::<Vec<_>>());
        }
        plain(over, &times.values().map(|time| plain(across, time)).collect::<Vec<_>>())
    };
    steps.into_iter().map(|(key, times)| (key, of(times))).collect()
}

fn weekly(rows: &[Row], aggregate: &str, across: Option<&str>, threads: usize) -> Option<Prepared> {
    prepared(&table(rows), |request| {
        request.series_columns = Some(vec!["group".into()]);
        request.step = Some("W-SUN".into());
        request.aggregate = named(aggregate);
        request.across = across.map(named);
        request.threads = threads;
    })
    .ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn steps_are_what_a_plain_program_makes_of_them(rows in rows()) {
        for (across, over) in WAYS.iter().flat_map(|across| WAYS.map(|over| (*across, over))) {
            let Some(prepared) = weekly(&rows, over, Some(across), 2) else { continue };
            let expected = reference(&rows, across, over);
            let (first, last) = (
                expected.keys().map(|(_, week)| *week).min().unwrap_or(0),
                expected.keys().map(|(_, week)| *week).max().unwrap_or(0),
            );
            let mut found = BTreeMap::new();
            for row in (0..prepared.frame.rows).filter(|row| !prepared.cell("target", *row).is_empty()) {
                let stamp = prepared.cell("timestamp", row);
                let week = (parse_timestamp(stamp.as_bytes()).expect("a day").micros - START) / DAY / 7;
                let group = prepared.cell("item_id", row)[1..].parse::<u8>().expect("a group");
                found.insert((group, week), prepared.cell("target", row).parse::<f64>().expect("a number"));
            }
            for (key, value) in &found {
                prop_assert_eq!(expected.get(key), Some(value), "{} {}", across, over);
            }
            // The first and the last week may be incomplete, but in a mean.
            for key in expected.keys().filter(|(_, week)| over == "mean" || (*week > first && *week < last)) {
                prop_assert!(found.contains_key(key), "{} {} {:?}", across, over, key);
            }
        }
    }

    #[test]
    fn the_bytes_depend_on_neither_threads_nor_the_order_of_whole_numbers(rows in rows()) {
        let reversed: Vec<Row> = rows.iter().rev().copied().collect();
        for (across, over) in WAYS.iter().flat_map(|across| WAYS.map(|over| (*across, over))) {
            let bytes = |rows: &[Row], threads| weekly(rows, over, Some(across), threads).map(|prepared| prepared.bytes);
            prop_assert_eq!(bytes(&rows, 1), bytes(&rows, 3));
            prop_assert_eq!(bytes(&rows, 1), bytes(&reversed, 2));
        }
    }

    #[test]
    fn rows_of_one_time_are_combined_as_those_of_a_step_where_nothing_is_said(rows in rows()) {
        for way in WAYS {
            let bytes = |across| weekly(&rows, way, across, 2).map(|prepared| prepared.bytes);
            prop_assert_eq!(bytes(None), bytes(Some(way)));
        }
    }
}
