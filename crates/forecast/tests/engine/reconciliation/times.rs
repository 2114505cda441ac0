//! Histories that are short, or begin and end apart.

use std::fmt::Write as _;

use super::{METHODS, check_sums, columns, month, refused, run, shops, with};
use crate::support::{check_invariants, named, rows};
use tabcast_forecast::ReconciliationOptions;
use tabcast_reconcile::ErrorWeights;

#[test]
fn a_history_too_short_for_the_residual_windows_falls_back_and_says_so() {
    for weights in ["wls_var", "shrink"] {
        let wanted = ReconciliationOptions {
            hierarchy_columns: columns(),
            residual_windows: 5,
            ..with(("min_trace", weights, "forecast_proportions"))
        };
        let finished = run(&shops(30), wanted, |_| ()).expect("a forecast");
        let summary = finished.summary.reconciliation.as_ref().expect("a summary");
        let fallback = summary.fallback.as_ref().expect("a fallback");
        assert_eq!((fallback.from, fallback.to), (named(weights), ErrorWeights::WlsStruct));
        assert!(fallback.reason.contains("needs 36 steps of history; there are 30"), "{}", fallback.reason);
        assert_eq!(summary.weights, Some(ErrorWeights::WlsStruct));
        assert_eq!(summary.residual_windows_used, 0);
        assert_eq!(summary.shrinkage, None);
        check_sums(&finished, "total", "/");
    }
}

#[test]
fn windows_that_fit_are_used() {
    for preset in ["fast", "balanced", "best"] {
        let wanted = ReconciliationOptions {
            hierarchy_columns: columns(),
            residual_windows: 3,
            ..with(("min_trace", "wls_var", "forecast_proportions"))
        };
        let finished = run(&shops(60), wanted, |options| options.preset = named(preset)).expect("a forecast");
        let summary = finished.summary.reconciliation.as_ref().expect("a summary");
        assert_eq!((summary.residual_windows_used, &summary.fallback), (3, &None), "{preset}");
        check_sums(&finished, "total", "/");
    }
}

#[test]
fn a_small_file_that_asks_for_long_histories_of_many_sums_is_refused() {
    let below = "/a".repeat(19);
    let mut text = "item_id,timestamp,target\n".to_owned();
    for top in 0..28_000 {
        writeln!(text, "{top}{below},2000-01-01,1\n{top}{below},2000-01-02,2").expect("a string takes it");
    }
    writeln!(text, "late{below},2002-09-01,1\nlate{below},2002-09-02,2").expect("a string takes it");
    let (code, message) = refused(&text, ReconciliationOptions::default(), "fast");
    assert_eq!(code, "sums_too_long", "{message}");
}

#[test]
fn sums_may_have_only_so_many_values_for_each_row_of_the_table() {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for top in 0..7_000 {
        writeln!(text, "{top}/a,2000-01-01,1\n{top}/a,2000-01-02,2").expect("a string takes it");
    }
    text += "late/a,2002-09-01,1\nlate/a,2002-09-02,2\n";
    let (code, message) = refused(&text, ReconciliationOptions::default(), "fast");
    assert_eq!(code, "sums_too_long", "{message}");
}

/// Rows of one shop without those of some months.
fn without(text: &str, shop: &str, months: std::ops::Range<usize>) -> String {
    let gone: Vec<String> = months.map(month).collect();
    let keep =
        |line: &&str| !(line.starts_with(shop) && gone.iter().any(|month| line.contains(month.as_str())));
    text.split_inclusive('\n').filter(keep).collect()
}

#[test]
fn series_that_begin_or_end_apart_are_counted_and_forecast_for_the_same_steps() {
    let begins = without(&shops(60), "south,c", 0..30);
    let late = without(&begins, "north,a", 58..60);
    let over = without(&late, "south,d", 40..60);
    for method in METHODS {
        let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..with(method) };
        let finished = run(&over, wanted, |_| ()).expect("a forecast");
        check_invariants(&format!("{method:?}"), &finished);
        check_sums(&finished, "total", "/");
        let stamps: Vec<String> = rows(&finished.csv).iter().map(|row| row.timestamp.clone()).collect();
        for node in stamps.chunks(6) {
            assert_eq!(node, &stamps[..6], "all nodes have the steps of the series that goes on longest");
            assert_eq!(node[0], "2020-01-01 00:00:00");
        }
        let warned = |code: &str| {
            finished.summary.warnings.iter().find(|warning| warning.code == code).map(|warning| warning.count)
        };
        assert_eq!(warned("series_begin_late"), Some(1), "{:?}", finished.summary.warnings);
        assert_eq!(warned("series_end_late"), Some(1), "{:?}", finished.summary.warnings);
        assert_eq!(warned("series_over"), Some(1), "{:?}", finished.summary.warnings);
        if method.0 == "bottom_up" {
            let over = rows(&finished.csv)
                .into_iter()
                .filter(|row| row.item == "south/d")
                .map(|row| row.mean)
                .fold(0.0, f64::max);
            assert!(over < 5.0, "a shop that closed 20 months ago sells nothing: {over}");
        }
    }
}

#[test]
fn series_beside_the_frequency_cannot_be_added_up() {
    let mut text =
        shops(40).replace("region,shop,", "item_id,").replace("north,", "north/").replace("south,", "south/");
    for day in 0..12 {
        writeln!(text, "north/odd,2015-03-{:02},{}", day + 1, day).expect("a string takes it");
    }
    let (code, message) = refused(&text, ReconciliationOptions::default(), "balanced");
    assert_eq!(code, "off_grid_series", "{message}");
    assert!(message.contains("'north/odd'"), "{message}");
}

#[test]
fn a_series_whose_steps_end_behind_those_of_the_latest_observation_ends_with_it() {
    // The last reading of `a` comes late and counts for the midnight after it; that of `b` comes later still, and
    // counts for the half past nine before it.
    let mut text = "item_id,timestamp,target\n".to_owned();
    for day in 1..=28 {
        let (first, second) = if day == 28 { ("13:00", "14:00") } else { ("00:00", "09:30") };
        writeln!(text, "a,2024-02-{day:02} {first}:00,{}", 10 + day % 7).expect("a string takes it");
        writeln!(text, "b,2024-02-{day:02} {second}:00,{}", 20 + day % 7).expect("a string takes it");
    }
    let finished = run(&text, with(METHODS[0]), |_| ()).expect("a forecast");
    check_sums(&finished, "total", "/");
    let warned = |code: &str| finished.summary.warnings.iter().any(|warning| warning.code == code);
    assert!(warned("steps_shifted") && !warned("series_over"), "{:?}", finished.summary.warnings);
}

#[test]
fn a_series_that_ended_long_ago_does_not_draw_the_others_down() {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for index in 0..60 {
        let stamp = 1_577_836_800 + index * 86_400;
        writeln!(text, "a/alive,{stamp},{}", 60 + index % 7).expect("a string takes it");
        if index < 3 {
            writeln!(text, "a/over,{},5", stamp - 10_000 * 86_400).expect("a string takes it");
        }
    }
    let finished = run(&text, ReconciliationOptions::default(), |_| ()).expect("a forecast");
    for row in rows(&finished.csv) {
        let wanted = if row.item == "a/over" { 0.0 } else { 63.0 };
        assert!((row.mean - wanted).abs() < 4.0, "{row:?}");
    }
    let codes: Vec<&str> = finished.summary.warnings.iter().map(|warning| &*warning.code).collect();
    assert!(codes.contains(&"series_over") && !codes.contains(&"series_begin_late"), "{codes:?}");
}

#[test]
fn a_week_of_days_may_be_late() {
    let days = |late: i64| {
        let mut text = "item_id,timestamp,target\n".to_owned();
        for (id, level, end) in [("a/x", 64, 60), ("a/y", 73, 60 - late), ("b/z", 83, 60)] {
            for index in 0..end {
                writeln!(text, "{id},{},{}", 1_577_836_800 + index * 86_400, level + index % 7)
                    .expect("a string takes it");
            }
        }
        text
    };
    for late in [1, 4, 7] {
        let finished = run(&days(late), ReconciliationOptions::default(), |_| ()).expect("a forecast");
        for row in rows(&finished.csv).iter().filter(|row| row.item == "a/y") {
            assert!((row.mean - 76.0).abs() < 5.0, "{late}: {row:?}");
        }
    }
}
