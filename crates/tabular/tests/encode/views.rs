//! Which columns have features at all.

use tabcast_tabular::{Encoder, Role, Target, View};

use crate::tables::{Table, names};

const VIEWS: [View; 3] = [View::Sets, View::Statistics, View::Dense];

#[test]
fn columns_that_are_no_features_and_those_that_do_not_vary_are_left_out() {
    let table = Table::default()
        .numbers("id", Role::Identifier, vec![1.0, 2.0, 3.0, 4.0])
        .numbers("same", Role::Constant, vec![5.0; 4])
        .numbers("none", Role::Empty, vec![f64::NAN; 4])
        .numbers("again", Role::Duplicate { of: 0 }, vec![1.0, 2.0, 3.0, 4.0])
        .numbers("label", Role::Label, vec![0.0, 1.0, 0.0, 1.0])
        .numbers("x", Role::Number, vec![1.0, 1.0, 1.0, 2.0])
        .texts("c", Role::Category, &["a", "a", "a", "b"])
        .texts("n", Role::Number, &["1", "two", "3", "4"]);
    let target = Target::Classes { labels: vec![0, 1, 0], classes: 2 };
    for view in VIEWS {
        let (encoder, matrix) = Encoder::fit(view, &table.frame, &table.decisions, &[0, 1, 2], &target, 1);
        let other = encoder.transform(&table.frame, &[3, 3]);
        assert_eq!(matrix.rows, 3);
        assert_eq!((other.rows, other.columns.len()), (2, matrix.columns.len()));
        assert!(matrix.sources.iter().all(|&source| source >= 6), "{:?}", names(&matrix));
        assert!(other.columns.iter().all(|column| column.len() == 2));
    }
    let (_, matrix) = Encoder::fit(View::Sets, &table.frame, &table.decisions, &[0, 1, 2], &target, 1);
    assert_eq!(names(&matrix), ["n"]);
    assert_eq!((matrix.columns[0][0], matrix.columns[0][2]), (1.0, 3.0));
    assert!(matrix.columns[0][1].is_nan());
}

#[test]
fn a_category_of_one_level_says_nothing() {
    let table = Table::default()
        .texts("one", Role::Category, &["a", "a", "a", "b"])
        .texts("none", Role::HighCardinality, &["", "", "", "b"])
        .texts("some", Role::HighCardinality, &["a", "", "a", "b"]);
    let target = Target::Values(vec![1.0, 5.0, 2.0]);
    for view in VIEWS {
        let (_, matrix) = Encoder::fit(view, &table.frame, &table.decisions, &[0, 1, 2], &target, 1);
        assert!(matrix.sources.iter().all(|&source| source == 2), "{:?}", names(&matrix));
        assert!(!matrix.columns.is_empty());
    }
}

#[test]
fn a_table_without_features_keeps_its_rows() {
    let table = Table::default().numbers("label", Role::Label, vec![0.0, 1.0]);
    for view in VIEWS {
        let target = Target::Values(vec![0.0, 1.0]);
        let (encoder, matrix) = Encoder::fit(view, &table.frame, &table.decisions, &[0, 1], &target, 1);
        assert_eq!((matrix.rows, matrix.columns.len()), (2, 0));
        assert_eq!(encoder.transform(&table.frame, &[1]).rows, 1);
    }
}
