//! What a file as a whole may be like, and what a run owes to its machine.

use std::fmt::Write;
use std::fs;
use std::time::Duration;

use super::{Table, count, noise, stamps, wave};

/// Group 2: more threads than work cost neither memory nor another result.
#[test]
fn more_threads_than_series_change_nothing() {
    let table = Table::of("D", &wave(7, 60));
    for preset in super::PRESETS {
        let with =
            |threads| table.run(preset, 7, |options| options.threads = threads).expect("a forecast").csv;
        assert_eq!(with(16), with(1), "{preset}");
    }
}

/// Group 3: two regressors over 30,000 steps; only the part that the preset looks at is worked on.
#[test]
fn long_covariates_are_no_burden() {
    let mut text = String::from("item_id,timestamp,target,price,offer\n");
    for (step, stamp) in stamps("h", "2020-01-01", 30_006).iter().enumerate() {
        let offer = u8::from(step * step % 13 < 4);
        let target = if step < 30_000 {
            format!("{}", 100.0 + 40.0 * f64::from(offer) + noise(step))
        } else {
            String::new()
        };
        writeln!(text, "a,{stamp},{target},{},{offer}", 5 + step % 3).expect("a string takes everything");
    }
    let table = Table(text);
    for preset in super::PRESETS {
        let finished = table.run(preset, 6, |options| {
            options.columns.covariates = vec!["price".to_owned(), "offer".to_owned()];
        });
        let rows = crate::support::rows(&finished.expect("a forecast").csv);
        for (step, row) in (30_000_usize..).zip(&rows) {
            let expected = if step * step % 13 < 4 { 140.0 } else { 100.0 };
            assert!((row.mean - expected).abs() < 12.0, "{preset} {step}: {row:?}");
        }
    }
}

/// Group 8: a single value has no changes to learn from; the item is named.
#[test]
fn a_single_observation_is_refused_by_name() {
    let mut table = Table::of("D", &wave(7, 20));
    table.add("lonely", &["2024-01-05".to_owned()], &[3.0]);
    let error = table.refusal();
    assert_eq!((error.code, error.item.as_deref()), ("too_few_observations", Some("lonely")));
    table.add("empty", &stamps("D", "2024-01-01", 3), &[f64::NAN; 3]);
    let error = table.refusal();
    assert_eq!((error.code, error.item.as_deref()), ("all_null_target", Some("empty")));
}

/// Groups 10 and 23: lengths from two values to hundreds, constants, zeros, spikes and explosions in one file. Every
/// item is forecast, and what was done about it is counted.
#[test]
fn bad_series_among_good_ones_fail_nothing() {
    let mut table = Table::new();
    for length in [2, 3, 5, 8, 20, 50, 120, 400] {
        table.add(&format!("good{length}"), &stamps("D", "2024-01-01", length), &wave(7, length));
    }
    let all = stamps("D", "2024-01-01", 100);
    let build = |value: &dyn Fn(usize) -> f64| (0..100).map(value).collect::<Vec<f64>>();
    table.add("constant", &all, &[5.0; 100]);
    table.add("zero", &all, &[0.0; 100]);
    table.add("spike", &all, &build(&|step| if step == 50 { 1e12 } else { 1.0 }));
    table.add("explosion", &all, &build(&|step| 2.0_f64.powi(step as i32)));
    table.add("largest", &all, &build(&|step| f64::MAX * (2.0 * noise(step))));
    table.add("rare", &all, &build(&|step| if step % 10 == 3 { 4.0 } else { 0.0 }));
    table.add("far", &["1900-01-01".to_owned(), "2024-04-01".to_owned()], &[1.0, 2.0]);
    table.forecast(12, |preset, rows, finished| {
        assert_eq!((finished.summary.num_items, rows.len()), (15, 15 * 12), "{preset}");
        for row in rows.iter().filter(|row| row.item.starts_with("good")) {
            assert!((0.0..300.0).contains(&row.mean), "{preset}: {row:?}");
        }
    });
}

/// Group 15: a covariate that cannot be used is said; one that is not in the file is refused.
#[test]
fn covariates_that_cannot_be_used_are_reported() {
    let mut text = String::from("item_id,timestamp,target,empty,names\n");
    for (step, stamp) in stamps("D", "2018-01-01", 2_000).iter().enumerate() {
        writeln!(text, "a,{stamp},{},,name{step}", 10.0 + noise(step)).expect("a string takes everything");
    }
    let table = Table(text);
    let with = |names: &[&str]| {
        table.run("fast", 3, |options| {
            options.columns.covariates = names.iter().map(|&name| name.to_owned()).collect();
        })
    };
    let finished = with(&["empty", "names"]).expect("a forecast");
    let reported = finished.summary.warnings.iter().filter(|warning| warning.code == "unusable_covariate");
    let messages: Vec<&str> = reported.map(|warning| warning.message.as_str()).collect();
    assert!(
        messages.len() == 2 && messages[0].contains("'empty'") && messages[1].contains("'names'"),
        "{messages:?}"
    );
    assert_eq!(finished.report["data_quality"]["counts"]["unusable_covariate"], 4_000, "rows of both");
    let error = with(&["weather"]).map(|finished| finished.summary).expect_err("the file has no such column");
    assert!(error.to_string().contains("weather"), "{error}");
}

/// Group 26: a time budget is kept by falling back on cheap models, which is counted. No time at all is the one
/// budget that gives the same on every machine.
#[test]
fn a_spent_budget_gives_the_cheap_forecast_and_says_so() {
    let mut table = Table::new();
    for item in 0..20 {
        table.add(&format!("i{item:02}"), &stamps("MS", "2015-01-01", 100), &wave(12, 100));
    }
    let fast = table.run("fast", 12, |_| {}).expect("a forecast");
    for preset in ["balanced", "best"] {
        let hurried =
            table.run(preset, 12, |options| options.budget = Some(Duration::ZERO)).expect("a forecast");
        assert_eq!(count(&hurried, "budget_short"), 20, "{preset}");
        assert_eq!(hurried.csv, fast.csv, "{preset}");
        let unhurried = table.run(preset, 12, |options| options.budget = Some(Duration::from_secs(3_600)));
        assert_eq!(count(&unhurried.expect("a forecast"), "budget_short"), 0, "{preset}");
    }
}

/// Group 27: no model is stored and nothing is compiled or kept between runs: the first run of a process is like every
/// other, and the files of a run have a few bytes for each number.
#[test]
fn a_run_leaves_its_rows_and_nothing_else() {
    let table = Table::of("h", &wave(24, 1_000));
    for preset in super::PRESETS {
        let first = table.run(preset, 24, |_| {}).expect("a forecast");
        let second = table.run(preset, 24, |_| {}).expect("a forecast");
        assert_eq!(first.csv, second.csv, "{preset}");
        let folder = first.parquet.parent().expect("a folder");
        let files = fs::read_dir(folder).expect("a folder").map(|entry| {
            let entry = entry.expect("an entry");
            (entry.file_name(), entry.metadata().expect("a file").len())
        });
        let sizes: Vec<_> = files.collect();
        // The table twice, the report, the findings, and an empty folder for analyses.
        assert!(sizes.len() == 5 && sizes.iter().all(|(_, bytes)| *bytes < 20_000), "{preset}: {sizes:?}");
    }
}
