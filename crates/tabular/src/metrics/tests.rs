//! Reference values are those of scikit-learn 1.9.1 on the same labels, predictions and weights.

use super::{intervals, metrics};
use crate::Target;

const LABELS: [u32; 12] = [0, 1, 2, 1, 0, 2, 2, 1, 0, 0, 1, 2];
const PROBABILITIES: [f64; 36] = [
    0.7, 0.2, 0.1, 0.2, 0.5, 0.3, 0.1, 0.3, 0.6, 0.4, 0.4, 0.2, 0.5, 0.3, 0.2, 0.2, 0.2, 0.6, 0.5, 0.1, 0.4,
    0.1, 0.8, 0.1, 0.6, 0.3, 0.1, 0.3, 0.4, 0.3, 0.25, 0.45, 0.3, 0.1, 0.1, 0.8,
];
const VALUES: [f64; 6] = [3.0, -0.5, 2.0, 7.0, 4.5, 1.2];
const PREDICTED: [f64; 6] = [2.5, 0.1, 2.0, 8.0, 4.1, 1.9];

fn check(target: &Target, predictions: &[f64], weights: &[f64], expected: &[(&str, f64)]) {
    let measured = metrics(target, predictions).measure(weights);
    for (name, value) in expected {
        let found = measured.iter().find(|(other, _)| other == name).and_then(|(_, value)| *value);
        assert!(found.is_some_and(|found| (found - value).abs() < 1e-12), "{name}: {found:?}, not {value}");
    }
}

fn classes() -> Target {
    Target::Classes { labels: LABELS.to_vec(), classes: 3 }
}

#[test]
fn measures_of_three_classes_are_those_of_the_reference() {
    check(
        &classes(),
        &PROBABILITIES,
        &[1.0; 12],
        &[
            ("accuracy", 0.75),
            ("balanced_accuracy", 0.75),
            ("log_loss", 0.629_732_936_939_752_6),
            ("roc_auc", 0.968_75),
            ("pr_auc", 0.934_722_222_222_222_2),
            ("brier", 0.346_25),
            ("macro_f1", 0.757_936_507_936_507_9),
            ("mcc", 0.631_613_940_799_889_2),
        ],
    );
}

#[test]
fn a_row_of_weight_two_counts_as_two_rows() {
    let weights = [1.0, 0.0, 2.0, 1.0, 3.0, 0.0, 1.0, 1.0, 2.0, 1.0, 0.0, 1.0];
    check(
        &classes(),
        &PROBABILITIES,
        &weights,
        &[
            ("accuracy", 0.769_230_769_230_769_3),
            ("balanced_accuracy", 0.702_380_952_380_952_4),
            ("log_loss", 0.612_481_565_491_168_9),
            ("roc_auc", 0.964_646_464_646_464_6),
            ("pr_auc", 0.913_454_270_597_127_7),
            ("macro_f1", 0.719_047_619_047_619),
            ("mcc", 0.604_691_800_765_516_9),
        ],
    );
}

#[test]
fn measures_of_values_are_those_of_the_reference() {
    check(
        &Target::Values(VALUES.to_vec()),
        &PREDICTED,
        &[1.0; 6],
        &[
            ("rmse", 0.613_731_754_650_732_4),
            ("mae", 0.533_333_333_333_333_3),
            ("r2", 0.934_744_947_064_485_1),
            ("mape", 36.362_433_862_433_86),
            ("spearman", 1.0),
        ],
    );
}

#[test]
fn what_is_not_defined_is_none() {
    let constant = Target::Values(vec![2.0; 4]);
    let measured = metrics(&constant, &[1.0, 2.0, 3.0, 2.0]).measure(&[1.0; 4]);
    assert!(
        measured.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| *name).eq(["r2", "spearman"])
    );
    let one_class = Target::Classes { labels: vec![0; 3], classes: 2 };
    let measured = metrics(&one_class, &[0.9, 0.1, 0.8, 0.2, 0.4, 0.6]).measure(&[1.0; 3]);
    assert!(measured.contains(&("roc_auc", None)));
}

#[test]
fn an_interval_holds_the_measure_and_narrows_with_rows() {
    let width = |copies: usize| {
        let target = Target::Values(VALUES.repeat(copies));
        let predictions = PREDICTED.repeat(copies);
        let metrics = metrics(&target, &predictions);
        let (low, high) = intervals(metrics.as_ref(), 1, 7)[0].expect("defined");
        assert!(low < 0.6137 && high > 0.6138, "{low} to {high}");
        high - low
    };
    let (few, many) = (width(10), width(1_000));
    // Ten times narrower for a hundred times as many rows.
    assert!((5.0..20.0).contains(&(few / many)), "{few} and {many}");
}
