//! Members on made-up lessons.

use std::collections::HashSet;

use proptest::prelude::*;
use tabcast_statistics::random::{normal, unit};
use tabcast_tabular::{Facts, Fitted, LINEAR, Learner, Lesson, Matrix, Target, View, loss, members};
use tabcast_trees::{Feature, Rows};

/// Columns of every kind that a view has: two numbers, a category and a column of noise.
fn matrix(view: View, rows: usize, seed: u64) -> Matrix {
    let column = |number: u64| (0..rows).map(move |row| unit(seed * 10 + number, row as u64));
    let a: Vec<f64> = column(1).map(|value| 2.0 * value - 1.0).collect();
    let b: Vec<f64> = (0..rows).map(|row| normal(seed * 10 + 2, row as u64)).collect();
    let level: Vec<f64> = column(3).map(|value| (value * 4.0).floor()).collect();
    let noise: Vec<f64> = column(4).collect();
    let mut features: Vec<Feature> = ["a", "b", "noise"].map(Feature::numeric).into();
    let mut columns = vec![a, b, noise];
    match view {
        View::Dense => {
            for own in 0..4 {
                features.push(Feature::numeric(format!("level {own}")));
                columns.push(level.iter().map(|&code| f64::from(u8::from(code == f64::from(own)))).collect());
            }
        }
        View::Sets => {
            features.push(Feature::categorical("level", (0..4).map(|code| code.to_string()).collect()));
            columns.push(level);
        }
        View::Statistics => {
            features.push(Feature::numeric("level"));
            columns.push(level.iter().map(|&code| EFFECTS[code as usize]).collect());
        }
    }
    if view != View::Dense {
        for row in (0..rows).step_by(17) {
            columns[1][row] = f64::NAN;
        }
    }
    Matrix { sources: (0..features.len()).collect(), features, columns, rows }
}

const EFFECTS: [f64; 4] = [0.0, 1.5, -1.0, 0.5];

/// The name of the member that leaves columns without use out.
const SPARSE: &str = "elastic_net";

/// The name of the member that learns only of skewed values.
const SKEWED_ONLY: &str = "boosting_of_logarithms";

/// What the rows of [`matrix`] have in common, with a little noise.
fn values(rows: usize, seed: u64) -> Vec<f64> {
    let plain = matrix(View::Sets, rows, seed);
    (0..rows)
        .map(|row| {
            let b = plain.columns[1][row];
            let level = EFFECTS[plain.columns[3][row] as usize];
            10.0 + 2.0 * plain.columns[0][row]
                + if b.is_nan() { 0.0 } else { b }
                + level
                + 0.3 * normal(seed + 77, row as u64)
        })
        .collect()
}

fn target(rows: usize, seed: u64, classes: Option<usize>) -> Target {
    let values = values(rows, seed);
    match classes {
        None => Target::Values(values),
        Some(classes) => {
            let class = |value: &f64| ((value - 7.0) / 6.0 * classes as f64).clamp(0.0, classes as f64 - 1.0);
            Target::Classes { labels: values.iter().map(|value| class(value) as u32).collect(), classes }
        }
    }
}

fn fit(member: &dyn Learner, rows: usize, classes: Option<usize>) -> Option<Box<dyn Fitted>> {
    let (training, validation) = (matrix(member.view(), rows, 1), matrix(member.view(), rows / 4, 2));
    let lesson = Lesson {
        training: &training,
        target: &target(rows, 1, classes),
        validation: &validation,
        validation_target: &target(rows / 4, 2, classes),
        seed: 5,
    };
    member.fit(&lesson, &|| false)
}

/// Predictions for rows that no one has seen.
fn predict(member: &dyn Learner, fitted: &dyn Fitted) -> Vec<f64> {
    fitted.predict(&matrix(member.view(), 200, 3))
}

#[test]
fn every_member_learns_values_and_classes() {
    for classes in [None, Some(2), Some(3)] {
        let truth = target(200, 3, classes);
        let constant = match &truth {
            Target::Values(_) => loss(&truth, &[10.25; 200]),
            Target::Classes { classes, .. } => loss(&truth, &vec![1.0 / *classes as f64; 200 * classes]),
        };
        for member in members(&Facts { rows: 600, classes }) {
            let Some(fitted) = fit(&*member, 600, classes) else {
                assert_eq!(member.name(), SKEWED_ONLY);
                continue;
            };
            let found = predict(&*member, &*fitted);
            assert_eq!(found.len(), 200 * truth.outputs(), "{}", member.name());
            let reached = loss(&truth, &found);
            assert!(reached < 0.7 * constant, "{}: {reached} of {constant}", member.name());
            if classes.is_some() {
                for row in found.chunks_exact(truth.outputs()) {
                    assert!(row.iter().all(|share| (0.0..=1.0).contains(share)), "{}", member.name());
                    assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{}", member.name());
                }
            }
        }
    }
}

#[test]
fn trees_that_are_shown_are_those_that_predict() {
    for classes in [None, Some(2), Some(3)] {
        for member in members(&Facts { rows: 300, classes }) {
            let Some(fitted) = fit(&*member, 300, classes) else { continue };
            let Some(trees) = fitted.trees() else { continue };
            let asked = matrix(member.view(), 50, 4);
            let mut out = vec![0.0; 50 * trees.outputs];
            let columns = asked.borrowed();
            trees.predict(&Rows::new(&columns).expect("equal lengths"), &mut out).expect("the columns fit");
            let found = fitted.predict(&asked);
            // Two classes have one output, the probability of class 1.
            let step = if classes == Some(2) { 2 } else { 1 };
            let shown = found.iter().skip(step - 1).step_by(step);
            assert!(shown.zip(&out).all(|(a, b)| (a - b).abs() < 1e-12), "{}", member.name());
        }
    }
}

#[test]
fn skewed_values_are_learned_by_their_logarithms() {
    let skewed = |rows: usize, seed: u64| -> Vec<f64> {
        values(rows, seed).iter().map(|value| (value - 10.0).exp()).collect()
    };
    let all = members(&Facts { rows: 600, classes: None });
    let member = all.iter().find(|member| member.name() == SKEWED_ONLY).expect("a regression");
    let (training, validation) = (matrix(member.view(), 600, 1), matrix(member.view(), 150, 2));
    let lesson = Lesson {
        training: &training,
        target: &Target::Values(skewed(600, 1)),
        validation: &validation,
        validation_target: &Target::Values(skewed(150, 2)),
        seed: 5,
    };
    let fitted = member.fit(&lesson, &|| false).expect("skewed values");
    let truth = Target::Values(skewed(200, 3));
    let found = predict(&**member, &*fitted);
    assert!(found.iter().all(|value| *value > 0.0));
    let mean = found.iter().sum::<f64>() / 200.0;
    assert!(loss(&truth, &found) < 0.7 * loss(&truth, &[mean; 200]));
}

/// A member by its name.
fn member(name: &str, classes: Option<usize>) -> Box<dyn Learner> {
    let all = members(&Facts { rows: 100, classes });
    all.into_iter().find(|member| member.name() == name).expect("a member of that name")
}

/// Numbers, of which all but the first two are noise.
fn numbers(rows: usize, width: usize, seed: u64) -> Matrix {
    let column = |number: usize| -> Vec<f64> {
        (0..rows).map(|row| normal(seed * 1_000 + number as u64, row as u64)).collect()
    };
    Matrix {
        features: (0..width).map(|number| Feature::numeric(number.to_string())).collect(),
        sources: (0..width).collect(),
        columns: (0..width).map(column).collect(),
        rows,
    }
}

/// Of how many of 40 columns of noise a linear model makes nothing at all.
fn ignored_columns(name: &str, classes: Option<usize>) -> usize {
    let target = |matrix: &Matrix, seed: u64| {
        let value = |row: usize| {
            2.0 * matrix.columns[0][row] - matrix.columns[1][row] + 0.5 * normal(seed + 50, row as u64)
        };
        match classes {
            None => Target::Values((0..matrix.rows).map(value).collect()),
            Some(classes) => {
                let class = |row| (value(row) + classes as f64 / 2.0).clamp(0.0, classes as f64 - 1.0) as u32;
                Target::Classes { labels: (0..matrix.rows).map(class).collect(), classes }
            }
        }
    };
    let (training, validation) = (numbers(150, 42, 1), numbers(150, 42, 2));
    let lesson = Lesson {
        training: &training,
        target: &target(&training, 1),
        validation: &validation,
        validation_target: &target(&validation, 2),
        seed: 1,
    };
    let fitted = member(name, classes).fit(&lesson, &|| false).expect("a small lesson");
    let asked = numbers(3, 42, 3);
    let plain = fitted.predict(&asked);
    let is_ignored = |column: &usize| {
        let mut changed = asked.clone();
        changed.columns[*column].fill(0.25);
        fitted.predict(&changed) == plain
    };
    assert!(!is_ignored(&0) && !is_ignored(&1), "{name} {classes:?}");
    (2..42).filter(is_ignored).count()
}

#[test]
fn columns_of_noise_have_no_weight_at_all_in_an_elastic_net() {
    for classes in [None, Some(2), Some(3)] {
        assert_eq!(ignored_columns(LINEAR, classes), 0);
        let ignored = ignored_columns(SPARSE, classes);
        assert!(ignored >= 10, "{classes:?}: {ignored}");
    }
}

#[test]
fn linear_models_of_more_work_than_their_bound_are_not_made() {
    let (rows, classes) = (1_000, 1_000);
    let matrix = numbers(rows, 500, 1);
    let target = Target::Classes { labels: (0..rows as u32).collect(), classes };
    let lesson = Lesson {
        training: &matrix,
        target: &target,
        validation: &matrix,
        validation_target: &target,
        seed: 1,
    };
    for name in [LINEAR, SPARSE] {
        assert!(member(name, Some(classes)).fit(&lesson, &|| false).is_none(), "{name}");
    }
}

#[test]
fn names_are_unique_and_each_member_knows_its_tasks() {
    for classes in [None, Some(2), Some(40)] {
        let all = members(&Facts { rows: 5_000, classes });
        let names: HashSet<&str> = all.iter().map(|member| member.name()).collect();
        assert_eq!(names.len(), all.len());
        assert!(names.contains(LINEAR) && names.contains(SPARSE));
        assert_eq!(names.contains("linear_then_boosting"), classes.is_none());
    }
    let many = members(&Facts { rows: 500_000, classes: None });
    assert!(many.iter().all(|member| member.name() != "nearest_neighbours"));
}

#[test]
fn hundreds_of_classes_have_members_too() {
    let (rows, classes) = (900, 300);
    let mut able = 0;
    for member in members(&Facts { rows, classes: Some(classes) }) {
        let Some(fitted) = fit(&*member, rows, Some(classes)) else { continue };
        let found = predict(&*member, &*fitted);
        assert!(found.chunks_exact(classes).all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-9));
        able += 1;
    }
    assert!(able >= 2, "{able} members");
}

#[test]
fn nothing_comes_of_a_fit_that_is_stopped() {
    for classes in [None, Some(2), Some(3)] {
        for member in members(&Facts { rows: 400, classes }) {
            let (training, validation) = (matrix(member.view(), 400, 1), matrix(member.view(), 100, 2));
            let lesson = Lesson {
                training: &training,
                target: &target(400, 1, classes),
                validation: &validation,
                validation_target: &target(100, 2, classes),
                seed: 5,
            };
            assert!(member.fit(&lesson, &|| true).is_none(), "{}", member.name());
        }
    }
}

/// Tables that say little: no column, constant ones, one label, a class that training lacks, no row held back.
#[test]
fn poor_lessons_give_finite_predictions_or_none() {
    let constant = |rows: usize| Matrix {
        features: vec![Feature::numeric("one")],
        sources: vec![0],
        columns: vec![vec![1.0; rows]],
        rows,
    };
    let empty = |rows: usize| Matrix { rows, ..Matrix::default() };
    let values = |rows: usize| Target::Values(vec![3.0; rows]);
    let lacking = |rows: usize| Target::Classes { labels: vec![1; rows], classes: 3 };
    let two = |rows: usize| Target::Classes { labels: vec![0; rows], classes: 2 };
    let mut answers = 0;
    for matrix in [&constant as &dyn Fn(usize) -> Matrix, &empty] {
        for target in [&values as &dyn Fn(usize) -> Target, &lacking, &two] {
            for held_back in [0, 8] {
                let (training, validation) = (matrix(30), matrix(held_back));
                let (labels, others) = (target(30), target(held_back));
                let classes = if let Target::Classes { classes, .. } = labels { Some(classes) } else { None };
                let lesson = Lesson {
                    training: &training,
                    target: &labels,
                    validation: &validation,
                    validation_target: &others,
                    seed: 1,
                };
                for member in members(&Facts { rows: 30, classes }) {
                    let Some(fitted) = member.fit(&lesson, &|| false) else { continue };
                    let found = fitted.predict(&matrix(4));
                    assert_eq!(found.len(), 4 * labels.outputs(), "{}", member.name());
                    assert!(found.iter().all(|value| value.is_finite()), "{}: {found:?}", member.name());
                    answers += 1;
                }
            }
        }
    }
    assert!(answers > 60, "{answers}");
}

#[test]
fn a_matrix_without_rows_has_no_predictions() {
    for classes in [None, Some(2), Some(3)] {
        for member in members(&Facts { rows: 100, classes }) {
            let Some(fitted) = fit(&*member, 100, classes) else { continue };
            assert!(fitted.predict(&matrix(member.view(), 0, 3)).is_empty(), "{}", member.name());
            // And there may be no row that is held back.
            let training = matrix(member.view(), 100, 1);
            let lesson = Lesson {
                training: &training,
                target: &target(100, 1, classes),
                validation: &matrix(member.view(), 0, 2),
                validation_target: &target(0, 2, classes),
                seed: 5,
            };
            assert!(member.fit(&lesson, &|| false).is_some(), "{}", member.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn threads_change_nothing(rows in 60usize..250, kind in 0usize..3) {
        let classes = [None, Some(2), Some(4)][kind];
        for member in members(&Facts { rows, classes }) {
            let with = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                pool.install(|| {
                    let fitted = fit(&*member, rows, classes)?;
                    Some(predict(&*member, &*fitted))
                })
            };
            prop_assert_eq!(with(1), with(3), "{}", member.name());
        }
    }
}
