//! Every node is forecast, and the sums are exact.

use std::fmt::Write as _;

use super::{METHODS, check_sums, columns, month, refused, run, shops, with, write};
use crate::support::{check_invariants, forecast, named, options, rows};
use tabcast_forecast::{HierarchyLevel, Options, ReconciliationOptions};

#[test]
fn every_node_is_forecast_and_every_method_adds_up_to_the_last_digit() {
    let text = shops(60);
    for method in METHODS {
        for preset in ["fast", "balanced"] {
            let name = format!("{method:?} {preset}");
            let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..with(method) };
            let finished = run(&text, wanted, |options| options.preset = named(preset)).expect(&name);
            check_invariants(&name, &finished);
            check_sums(&finished, "total", "/");
            let ids: Vec<String> =
                rows(&finished.csv).iter().step_by(6).map(|row| row.item.clone()).collect();
            let nodes = ["total", "north", "south", "north/a", "north/b", "south/a", "south/c", "south/d"];
            assert_eq!(ids, nodes, "{name}");
            assert!(
                rows(&finished.csv).iter().all(|row| row.mean >= 0.0 && row.quantiles[0] >= 0.0),
                "{name}"
            );
            assert_eq!((finished.summary.num_items, finished.summary.rows), (5, 48), "{name}");

            let summary = finished.summary.reconciliation.expect("a summary");
            assert_eq!(summary.method, named(method.0));
            assert_eq!(summary.weights, (method.0 == "min_trace").then(|| named(method.1)));
            assert_eq!(summary.top_down_method, (method.0 == "top_down").then(|| named(method.2)));
            let levels = [("total", 1), ("region", 2), ("shop", 5)]
                .map(|(name, num_nodes)| HierarchyLevel { name: name.to_owned(), num_nodes });
            assert_eq!(summary.levels, levels, "{name}");
            assert_eq!((summary.num_series, summary.num_bottom), (8, 5), "{name}");
            let estimated = method.0 == "min_trace" && ["wls_var", "shrink"].contains(&method.1);
            assert_eq!(summary.residual_windows_used, u32::from(estimated), "{name}");
            assert_eq!(summary.shrinkage.is_some(), method.1 == "shrink", "{name}");
            assert!(summary.shrinkage.is_none_or(|share| (0.0..=1.0).contains(&share)), "{name}");
            assert!(summary.max_incoherence_before > 0.0, "{name}");
            assert_eq!(summary.max_incoherence_after, 0.0, "{name}");
            assert_eq!(summary.fallback, None, "{name}");
        }
    }
}

#[test]
fn item_ids_are_split_where_no_columns_are_named() {
    let text =
        shops(48).replace("region,shop,", "item_id,").replace("north,", "north|").replace("south,", "south|");
    let wanted = ReconciliationOptions {
        separator: "|".to_owned(),
        total_label: "all".to_owned(),
        ..ReconciliationOptions::default()
    };
    let by_id = run(&text, wanted.clone(), |_| ()).expect("a forecast");
    check_sums(&by_id, "all", "|");
    let levels: Vec<String> = by_id
        .summary
        .reconciliation
        .as_ref()
        .expect("a summary")
        .levels
        .iter()
        .map(|level| level.name.clone())
        .collect();
    assert_eq!(levels, ["all", "level_1", "level_2"]);
    let by_column = run(&shops(48), ReconciliationOptions { hierarchy_columns: columns(), ..wanted }, |_| ())
        .expect("a forecast");
    assert_eq!(by_id.csv, by_column.csv, "the same hierarchy, named in another way");
}

#[test]
fn the_files_do_not_depend_on_the_number_of_threads() {
    for method in METHODS {
        let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..with(method) };
        let one = run(&shops(40), wanted.clone(), |options| options.threads = 1).expect("a forecast");
        let three = run(&shops(40), wanted, |options| options.threads = 3).expect("a forecast");
        assert_eq!(one.csv, three.csv, "{method:?}");
        assert_eq!(one.summary.reconciliation, three.summary.reconciliation, "{method:?}");
    }
}

#[test]
fn the_forecast_of_a_sum_is_that_of_the_history_of_its_sum() {
    // Bottom-up leaves the bottom series as they are without a hierarchy.
    let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..with(METHODS[0]) };
    let finished = run(&shops(60), wanted, |options| options.preset = named("fast")).expect("a forecast");
    let flat =
        shops(60).replace("region,shop,", "item_id,").replace("north,", "north/").replace("south,", "south/");
    let dataset = write(&flat);
    let alone = forecast(Options { preset: named("fast"), ..options(&dataset.path) }).expect("a forecast");
    let bottom = &rows(&finished.csv)[18..];
    for (row, other) in bottom.iter().zip(rows(&alone.csv)) {
        assert_eq!((&row.item, &row.timestamp), (&other.item, &other.timestamp));
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs().max(1.0);
        assert!(close(row.mean, other.mean), "{row:?} {other:?}");
        assert!(row.quantiles.iter().zip(&other.quantiles).all(|(a, b)| close(*a, *b)), "{row:?} {other:?}");
    }
}

#[test]
fn zeros_negatives_and_constants_add_up() {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for index in 0..40 {
        for (item, value) in [
            ("x/zero", 0.0),
            ("x/none", 0.0),
            ("y/constant", 7.25),
            ("y/negative", -3.0 - (index % 4) as f64),
            ("z/both", (index % 5) as f64 - 2.0),
        ] {
            writeln!(text, "{item},{},{value}", month(index)).expect("a string takes it");
        }
    }
    for method in METHODS {
        let finished = run(&text, with(method), |_| ()).expect("a forecast");
        check_sums(&finished, "total", "/");
        check_invariants(&format!("{method:?}"), &finished);
    }
}

#[test]
fn nothing_is_negative_where_nothing_was() {
    // The second shop takes all from the first, so that unrestricted least squares goes below zero.
    let mut text = "item_id,timestamp,target\n".to_owned();
    for index in 0..48_usize {
        let falling = 100.0 - 2.0 * index as f64;
        writeln!(text, "a/falling,{},{}", month(index), falling.max(0.0)).expect("a string takes it");
        writeln!(text, "a/rising,{},{}", month(index), 2.0 * index as f64).expect("a string takes it");
        writeln!(text, "b/other,{},{}", month(index), index % 7).expect("a string takes it");
    }
    for method in METHODS {
        let finished = run(&text, with(method), |_| ()).expect("a forecast");
        check_sums(&finished, "total", "/");
        assert!(
            rows(&finished.csv).iter().all(|row| row.mean >= 0.0 && row.quantiles[0] >= 0.0),
            "{method:?}"
        );
    }
}

#[test]
fn every_scale_adds_up() {
    for scale in [1e-300, 1e-12, 1e-3, 1e9, 1e15, 1e200] {
        let mut text = "item_id,timestamp,target\n".to_owned();
        for index in 0..36 {
            for (item, level) in [("a/1", 3.0), ("a/2", 5.0), ("b/1", 11.0)] {
                let value = scale * (level + f64::from(index % 12) + f64::from(index) / 7.0);
                writeln!(text, "{item},{},{value:e}", month(index as usize)).expect("a string takes it");
            }
        }
        for method in METHODS {
            let finished = run(&text, with(method), |_| ()).expect("a forecast");
            check_sums(&finished, "total", "/");
            let summary = finished.summary.reconciliation.expect("a summary");
            assert_eq!(summary.warnings, Vec::<String>::new(), "{method:?} at {scale}");
        }
    }
}

#[test]
fn sums_that_no_number_holds_are_refused() {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for index in 0..30 {
        for item in ["a/1", "a/2"] {
            writeln!(text, "{item},{},{}e307", month(index), 10 + index % 3).expect("a string takes it");
        }
    }
    let (code, message) = refused(&text, ReconciliationOptions::default(), "balanced");
    assert_eq!(code, "sum_out_of_range", "{message}");
}

#[test]
fn ids_that_make_no_tree_are_named() {
    let series = |ids: &[&str]| {
        let mut text = "item_id,timestamp,target\n".to_owned();
        for id in ids {
            for index in 0..24 {
                writeln!(text, "{id},{},{index}", month(index)).expect("a string takes it");
            }
        }
        text
    };
    let default = ReconciliationOptions::default;
    let deep = |levels: usize| vec!["x"; levels].join("/");
    for (ids, code, named) in [
        (vec!["a/b", "a/c", "d"], "hierarchy_depth", "'d'"),
        (vec!["a/b", "a/c", "a/b/c"], "hierarchy_depth", "'a/b/c'"),
        (vec![deep(21).as_str(), "b"], "too_many_levels", "'x/x/"),
        (vec!["a/b", "/c"], "missing_hierarchy_value", "'/c'"),
        (vec!["a/b", "total/c"], "total_label_taken", "'total/c'"),
        (vec!["total", "other"], "total_label_taken", "'total'"),
    ] {
        let (found, message) = refused(&series(&ids), default(), "balanced");
        assert_eq!(found, code, "{ids:?}: {message}");
        assert!(message.contains(named), "{ids:?}: {message}");
    }
    // One series alone has a total above it; so has a chain of one child after the other.
    for ids in [vec!["alone"], vec!["a/b/c/d"], vec!["a/b/c", "a/b/d"], vec![deep(20).as_str()]] {
        let finished = run(&series(&ids), default(), |_| ()).expect("a forecast");
        check_sums(&finished, "total", "/");
    }
}

/// Months of three series with values that a rule gives.
fn ledger(value: impl Fn(&str, usize) -> f64) -> String {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for id in ["a/rent", "a/tax", "b/rent"] {
        for index in 0..40 {
            writeln!(text, "{id},{},{:.3}", month(index), value(id, index)).expect("a string takes it");
        }
    }
    text
}

#[test]
fn costs_are_divided_from_the_top_like_sales() {
    let level = |id: &str| match id {
        "a/rent" => 1000.0,
        "a/tax" => 10.0,
        _ => 50.0,
    };
    let text = ledger(|id, index| -level(id) - (index % 3) as f64);
    for method in &METHODS[1..4] {
        let finished = run(&text, with(*method), |_| ()).expect("a forecast");
        check_sums(&finished, "total", "/");
        for row in rows(&finished.csv).iter().filter(|row| row.item.contains('/')) {
            let wanted = -level(&row.item) - 1.0;
            assert!((row.mean - wanted).abs() < 5.0, "{method:?} {row:?} {wanted}");
        }
        assert_eq!(finished.summary.reconciliation.expect("a summary").warnings, Vec::<String>::new());
    }
}

#[test]
fn a_share_of_the_other_sign_is_said() {
    let text = ledger(|id, index| if id == "a/tax" { -30.0 } else { 100.0 } + (index % 3) as f64);
    for method in &METHODS[1..3] {
        let finished = run(&text, with(*method), |_| ()).expect("a forecast");
        let warnings = finished.summary.reconciliation.expect("a summary").warnings;
        assert!(
            warnings.iter().any(|text| text.contains("another sign") && text.ends_with(": 1.")),
            "{warnings:?}"
        );
    }
}
