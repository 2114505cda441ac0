//! Shares of the columns in the predictions.

use tabcast_tabular::{Extent, Options, Report};

use crate::support::{dice, finish, options, table};

fn share(report: &Report, feature: &str) -> f64 {
    let found = report.importance.iter().find(|share| share.feature == feature);
    found.unwrap_or_else(|| panic!("no share of {feature}")).share
}

/// A number of -1 to 1.
fn uniform(row: usize, stream: usize) -> f64 {
    dice(row, stream) as f64 / 499.5 - 1.0
}

#[test]
fn categories_of_noise_have_the_share_of_their_real_effect() {
    const ROWS: usize = 2_500;
    let level = |row: usize, category: usize| (dice(row, 20 + category) / 10, category);
    let effect = |level: usize| uniform(level, 90);
    let label = |row: usize| {
        let margin = 2.0 * uniform(row, 0) + 1.5 * uniform(row, 1) + 2.0 * effect(level(row, 0).0);
        usize::from(1.0 / (1.0 + (-margin).exp()) * 1_000.0 > dice(row, 50) as f64).to_string()
    };
    let names: Vec<String> =
        (0..8).map(|at| format!("x{at}")).chain((0..4).map(|at| format!("c{at}"))).collect();
    let cells: Vec<Box<dyn Fn(usize) -> String>> = (0..12)
        .map(|at| -> Box<dyn Fn(usize) -> String> {
            if at < 8 {
                Box::new(move |row| dice(row, at).to_string())
            } else {
                Box::new(move |row| format!("level {}", level(row, at - 8).0))
            }
        })
        .collect();
    let mut columns: Vec<(&str, &dyn Fn(usize) -> String)> = vec![("y", &label)];
    columns.extend(names.iter().map(String::as_str).zip(cells.iter().map(|cell| &**cell)));
    for extent in [Extent::Bagged, Extent::default()] {
        let finished = finish(&table(ROWS, &columns), Options { extent, ..options("classification", "y") })
            .expect("a run");
        let report = finished.report();
        for noise in ["c1", "c2", "c3"] {
            assert!(share(report, noise) < 0.3 * share(report, "c0"), "{extent:?}: {:?}", report.importance);
        }
    }
}

/// A table of `rows` rows whose label follows `x` and not `z`.
fn small(rows: usize, classes: bool) -> String {
    table(
        rows,
        &[
            ("x", &|row| dice(row, 1).to_string()),
            ("z", &|row| dice(row, 2).to_string()),
            ("w", &|row| dice(row, 3).to_string()),
            ("y", &|row| {
                if classes {
                    usize::from(dice(row, 1) > 500).to_string()
                } else {
                    format!("{}", 3 * dice(row, 1) + dice(row, 4) / 50)
                }
            }),
        ],
    )
}

#[test]
fn small_tables_have_an_importance_of_their_own_columns() {
    for (task, classes) in [("classification", true), ("regression", false)] {
        for rows in [24, 60, 200] {
            let all = Options { extent: Extent::default(), ..options(task, "y") };
            let finished = finish(&small(rows, classes), all).expect("a run");
            let report = finished.report();
            assert_eq!(report.importance[0].feature, "x", "{task} {rows}: {:?}", report.importance);
            assert!(report.importance[0].share > 0.6, "{task} {rows}: {:?}", report.importance);
            assert!(report.importance.iter().all(|share| share.feature != "__other__"));
            assert!((report.importance.iter().map(|share| share.share).sum::<f64>() - 1.0).abs() < 1e-9);
            let fidelity = report.explanation.surrogate_fidelity;
            assert!(fidelity.is_none_or(|fidelity| (0.0..=1.0).contains(&fidelity)), "{fidelity:?}");
        }
    }
}

#[test]
fn where_nothing_explains_the_predictions_no_share_is_made_up() {
    // No time for a member: the shares of the classes are predicted for every row.
    let rushed = Options {
        extent: Extent::default(),
        budget: Some(std::time::Duration::ZERO),
        ..options("classification", "y")
    };
    let finished = finish(&small(100, true), rushed).expect("a run");
    assert!(finished.report().importance.is_empty());
    assert_eq!(finished.report().explanation.surrogate_fidelity, None);
    let warned =
        |code: &str| finished.report().warnings.iter().filter(|warning| warning.code == code).count();
    // A guess rests on no column; that there are no members says it.
    assert_eq!((warned("importance_incomplete"), warned("members_left_out")), (0, 1));
}

#[test]
fn the_accuracy_of_a_few_rows_has_a_wide_interval() {
    let all = Options { extent: Extent::Bagged, ..options("classification", "y") };
    let finished = finish(&small(100, true), all).expect("a run");
    let accuracy =
        finished.report().metrics.iter().find(|metric| metric.name == "accuracy").expect("a measure");
    let (value, low, high) =
        (accuracy.value.expect("a value"), accuracy.low.expect("low"), accuracy.high.expect("high"));
    assert_eq!(finished.report().evaluated_rows, 20);
    assert!(low <= value && value <= high && low < 0.9 && high - low > 0.1, "{low} {value} {high}");
    if value == 1.0 {
        // Of 20 rows that are all right: 1 / (1 + 1.96^2 / 20).
        assert!((low - 0.838_87).abs() < 1e-4 && high == 1.0, "{low} {high}");
    }
}

#[test]
fn quantiles_without_trees_say_so() {
    // The only column differs in one row: a fold without that row has nothing to split on.
    let csv = table(
        40,
        &[
            ("x", &|row| usize::from(row == 7).to_string()),
            ("y", &|row| (100 * usize::from(row == 7) + dice(row, 2) % 50).to_string()),
        ],
    );
    let quantile = Options {
        problem_type: "quantile".to_owned(),
        test_rows: Some((30..40).collect()),
        extent: Extent::Bagged,
        ..options("regression", "y")
    };
    let finished = finish(&csv, quantile).expect("a run");
    let report = finished.report();
    assert!(
        report.warnings.iter().any(|warning| warning.code == "quantile_trees_failed"),
        "{:?}",
        report.warnings
    );
    assert_eq!(finished.numbers("prediction").len(), 10);
}
