//! Whether what is learned is worth something, and whether it is said how much.

use std::time::Duration;

use tabcast_tabular::{Extent, Options};

use crate::support::{dice, finish, options, table};

fn value(report: &tabcast_tabular::Report, name: &str) -> f64 {
    report
        .metrics
        .iter()
        .find(|metric| metric.name == name)
        .and_then(|metric| metric.value)
        .expect("a measure")
}

#[test]
fn intervals_hold_as_much_as_they_promise_where_the_noise_depends_on_the_row() {
    let csv = table(
        1_500,
        &[
            ("x", &|row| dice(row, 1).to_string()),
            ("z", &|row| dice(row, 3).to_string()),
            ("y", &|row| {
                let (x, noise) = (dice(row, 1) as f64, dice(row, 2) as f64 / 500.0 - 1.0);
                format!("{:.3}", x / 10.0 + noise * (5.0 + dice(row, 3) as f64 / 10.0))
            }),
        ],
    );
    let bagged = Options { extent: Extent::Bagged, train_split_ratio: 0.5, ..options("regression", "y") };
    let finished = finish(&csv, bagged).expect("a run");
    let residuals = finished.report().residuals.as_ref().expect("a regression");
    assert!((0.74..0.86).contains(&residuals.coverage_80), "{}", residuals.coverage_80);
    // Wide where the noise is large.
    let (low, high) = (finished.numbers("0.1"), finished.numbers("0.9"));
    let rows = finished.numbers("row_index");
    let width = |is: &dyn Fn(f64) -> bool| {
        let widths: Vec<f64> = (0..rows.len())
            .filter(|&at| is(dice(rows[at] as usize, 3) as f64))
            .map(|at| high[at] - low[at])
            .collect();
        widths.iter().sum::<f64>() / widths.len() as f64
    };
    assert!(width(&|z| z > 800.0) > 2.0 * width(&|z| z < 200.0));
}

#[test]
fn what_matters_is_found_among_columns_that_do_not() {
    let names: Vec<String> = (0..30).map(|at| format!("noise {at}")).collect();
    let noise: Vec<Box<dyn Fn(usize) -> String>> =
        (0..30).map(|at| Box::new(move |row: usize| dice(row, 10 + at).to_string()) as Box<_>).collect();
    let label = |row: usize| usize::from(dice(row, 1) > 500 || dice(row, 2) > 900).to_string();
    let (first, second) = (|row: usize| dice(row, 1).to_string(), |row: usize| dice(row, 2).to_string());
    let mut columns: Vec<(&str, &dyn Fn(usize) -> String)> =
        vec![("first", &first), ("second", &second), ("y", &label)];
    columns.extend(names.iter().map(String::as_str).zip(noise.iter().map(|noise| &**noise)));
    let bagged = Options { extent: Extent::Bagged, ..options("classification", "y") };
    let finished = finish(&table(600, &columns), bagged).expect("a run");
    let importance = &finished.report().importance;
    assert_eq!((importance[0].feature.as_str(), importance[1].feature.as_str()), ("first", "second"));
    assert!((importance.iter().map(|share| share.share).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(finished.report().explanation.max_additivity_error < 1e-9);
    assert_eq!(finished.report().explanation.exact_share, 1.0);
    assert!(value(finished.report(), "accuracy") > 0.9);
}

#[test]
fn labels_of_noise_are_no_better_than_the_shares_of_the_classes() {
    let csv = table(
        400,
        &[
            ("x", &|row| dice(row, 1).to_string()),
            ("z", &|row| ["a", "b"][dice(row, 2) % 2].to_owned()),
            ("y", &|row| (dice(row, 3) % 2).to_string()),
        ],
    );
    let all = Options { extent: Extent::default(), ..options("classification", "y") };
    let finished = finish(&csv, all).expect("a run");
    let loss = finished.report().metrics.iter().find(|metric| metric.name == "log_loss").expect("a loss");
    let (ours, baseline) = (loss.value.expect("a value"), loss.baseline.expect("a baseline"));
    assert!(ours < 1.05 * baseline, "{ours} against {baseline}");
}

#[test]
fn without_time_there_is_an_answer_all_the_same() {
    let csv =
        table(300, &[("x", &|row| dice(row, 1).to_string()), ("y", &|row| (dice(row, 1) / 300).to_string())]);
    let rushed =
        Options { extent: Extent::default(), budget: Some(Duration::ZERO), ..options("classification", "y") };
    let finished = finish(&csv, rushed).expect("a run");
    assert_eq!(finished.rows.len(), 61);
    assert!(finished.warning("members_left_out").is_some());
    assert_eq!(finished.report().leaderboard[0].member, "baseline");
}

#[test]
fn columns_without_values_and_five_hundred_of_them_do_no_harm() {
    let names: Vec<String> = (0..497).map(|at| format!("c{at}")).collect();
    let cells: Vec<Box<dyn Fn(usize) -> String>> = (0..497)
        .map(|at| {
            Box::new(
                move |row: usize| if at % 5 == 0 { String::new() } else { (dice(row, at) / 100).to_string() },
            ) as Box<_>
        })
        .collect();
    let label = |row: usize| usize::from(dice(row, 1) > 400).to_string();
    let mut columns: Vec<(&str, &dyn Fn(usize) -> String)> = vec![("y", &label)];
    columns.extend(names.iter().map(String::as_str).zip(cells.iter().map(|cell| &**cell)));
    let finished = finish(&table(60, &columns), options("classification", "y")).expect("a run");
    let empty = finished.report().columns.iter().filter(|column| column.role == "empty").count();
    assert_eq!(empty, 100);
    assert_eq!(finished.report().importance.len(), 51);
    assert_eq!(finished.report().importance[50].feature, "__other__");
}

#[test]
fn a_member_that_does_not_apply_is_not_said_to_have_had_no_time() {
    // Labels that are not skewed are nothing for logarithms.
    let csv = table(
        120,
        &[
            ("x", &|row| dice(row, 1).to_string()),
            ("y", &|row| (2 * dice(row, 1) + dice(row, 2) % 100).to_string()),
        ],
    );
    let all = Options { extent: Extent::default(), ..options("regression", "y") };
    let finished = finish(&csv, all).expect("a run");
    let shown: Vec<&str> = finished.report().leaderboard.iter().map(|member| member.member).collect();
    assert!(!shown.contains(&"boosting_of_logarithms"), "{shown:?}");
    assert_eq!(finished.warning("members_left_out"), None);
}
