//! Statistics of labels: what they are, and that a row never sees its own label.

use proptest::prelude::*;
use tabcast_tabular::{Encoder, Matrix, Role, Target, View};

use crate::tables::{Table, bits, column, names};

const VIEWS: [View; 3] = [View::Sets, View::Statistics, View::Dense];

/// A table with a category of many levels, one of few, and a number.
fn table(levels: &[u8]) -> Table {
    let many: Vec<String> = levels.iter().map(|level| format!("m{level}")).collect();
    let few: Vec<&str> = levels.iter().map(|level| ["a", "b", ""][usize::from(level % 3)]).collect();
    Table::default().texts("many", Role::HighCardinality, &many).texts("few", Role::Category, &few).numbers(
        "x",
        Role::Number,
        levels.iter().map(|&level| f64::from(level)).collect(),
    )
}

fn fit(view: View, table: &Table, rows: &[u32], target: &Target) -> (Encoder, Matrix) {
    Encoder::fit(view, &table.frame, &table.decisions, rows, target, 7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever the label of a row, its own features are the same bits: before standardisation, which is by all rows.
    #[test]
    fn a_row_does_not_see_its_own_label(
        levels in prop::collection::vec(0u8..60, 40..120),
        labels in prop::collection::vec(0u32..3, 120),
        changed in 0usize..40,
        more in 1u32..3,
    ) {
        let table = table(&levels);
        let rows: Vec<u32> = (0..levels.len() as u32).collect();
        let labels = labels[..levels.len()].to_vec();
        let mut others = labels.clone();
        others[changed] = (others[changed] + more) % 3;
        let values = |labels: &[u32]| Target::Values(labels.iter().map(|&label| f64::from(label)).collect());
        let classes = |labels: Vec<u32>| Target::Classes { labels, classes: 3 };
        for view in [View::Sets, View::Statistics] {
            for (a, b) in [(values(&labels), values(&others)), (classes(labels.clone()), classes(others.clone()))] {
                let (a, b) = (fit(view, &table, &rows, &a).1, fit(view, &table, &rows, &b).1);
                prop_assert_eq!(names(&a), names(&b));
                let row = |matrix: &Matrix| -> Vec<u64> {
                    matrix.columns.iter().map(|column| column[changed].to_bits()).collect()
                };
                prop_assert_eq!(row(&a), row(&b));
            }
        }
    }

    /// Nothing of the rows outside the fitted ones has a part in the encoder.
    #[test]
    fn other_rows_change_nothing(levels in prop::collection::vec(0u8..40, 60), others in prop::collection::vec(0u8..40, 20)) {
        let mut changed = levels.clone();
        changed[40..].copy_from_slice(&others);
        let (a, b) = (table(&levels), table(&changed));
        let rows: Vec<u32> = (0..40).collect();
        let target = Target::Values(levels[..40].iter().map(|&level| f64::from(level % 5)).collect());
        for view in VIEWS {
            let ((of_a, matrix_a), (of_b, matrix_b)) = (fit(view, &a, &rows, &target), fit(view, &b, &rows, &target));
            prop_assert_eq!(names(&matrix_a), names(&matrix_b));
            prop_assert_eq!(bits(&matrix_a), bits(&matrix_b));
            prop_assert_eq!(bits(&of_a.transform(&a.frame, &rows)), bits(&of_b.transform(&b.frame, &rows)));
        }
    }

    /// The same bits on one thread and on three.
    #[test]
    fn threads_change_nothing(levels in prop::collection::vec(0u8..60, 50..90)) {
        let table = table(&levels);
        let rows: Vec<u32> = (0..levels.len() as u32).rev().collect();
        let target = Target::Classes { labels: rows.iter().map(|row| row % 4).collect(), classes: 4 };
        for view in VIEWS {
            let on = |threads| -> Result<_, rayon::ThreadPoolBuildError> {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                Ok(pool.install(|| {
                    let (encoder, matrix) = fit(view, &table, &rows, &target);
                    (bits(&matrix), bits(&encoder.transform(&table.frame, &rows)))
                }))
            };
            prop_assert_eq!(on(1).map_err(|error| error.to_string()), on(3).map_err(|error| error.to_string()));
        }
    }
}

#[test]
fn statistics_of_other_rows_are_means_pulled_to_that_of_all() {
    let table = Table::default().texts("c", Role::Category, &["a", "a", "a", "b", "", "new"]);
    let target = Target::Values(vec![1.0, 2.0, 3.0, 10.0, 4.0]);
    let (encoder, _) = fit(View::Statistics, &table, &[0, 1, 2, 3, 4], &target);
    let matrix = encoder.transform(&table.frame, &[0, 3, 4, 5]);
    // The mean of all labels is 4; it counts as one row.
    assert_eq!(column(&matrix, "c: mean label"), [10.0 / 4.0, 14.0 / 2.0, 4.0, 4.0]);
    assert!(!names(&matrix).contains(&"c: rows"), "two levels have no counts");
}

#[test]
fn classes_have_a_statistic_each_up_to_ten() {
    let levels: Vec<u8> = (0..120).map(|row| (row % 4) as u8).collect();
    let table = table(&levels);
    let rows: Vec<u32> = (0..120).collect();
    let statistics = |classes: usize| {
        let labels = (0..120u32).map(|row| row % classes as u32).collect();
        let (_, matrix) = fit(View::Statistics, &table, &rows, &Target::Classes { labels, classes });
        names(&matrix).iter().filter(|name| name.starts_with("many: share of class")).count()
    };
    assert_eq!([2, 3, 10, 50].map(statistics), [1, 3, 10, 10]);
}

/// Statistics of a category that says nothing say next to nothing about the labels.
#[test]
fn noise_does_not_look_like_a_signal() {
    let draw = |stream: u64, row: u64| tabcast_statistics::random::bits(stream, row);
    let cells: Vec<String> = (0..2000).map(|row| format!("{}", draw(1, row) % 700)).collect();
    let table = Table::default().texts("c", Role::HighCardinality, &cells);
    let labels: Vec<f64> = (0..2000).map(|row| (draw(2, row) % 1000) as f64).collect();
    let rows: Vec<u32> = (0..2000).collect();
    let (encoder, matrix) = fit(View::Statistics, &table, &rows, &Target::Values(labels.clone()));
    let crossed = correlation(column(&matrix, "c: mean label"), &labels);
    let seen = encoder.transform(&table.frame, &rows);
    let greedy = correlation(column(&seen, "c: mean label"), &labels);
    assert!(crossed.abs() < 0.06 && greedy > 0.4, "{crossed} {greedy}");
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let pairs: Vec<(f64, f64)> =
        a.iter().copied().zip(b.iter().copied()).filter(|(a, _)| !a.is_nan()).collect();
    let count = pairs.len() as f64;
    let mean_a = pairs.iter().map(|(a, _)| a).sum::<f64>() / count;
    let mean_b = pairs.iter().map(|(_, b)| b).sum::<f64>() / count;
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(a, b)| of(a - mean_a, b - mean_b)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}
