//! Files of models: ours with a checksum that agrees, those of other libraries as they come.

use std::path::PathBuf;

use tabcast_forecast::{Config, Control, Failure, Options, Output, check, run};
use tabcast_trees::{Ensemble, Explainer, Rows};

use crate::scratch;

/// Rows that a model is applied to.
const ROWS: usize = 5;
/// Nodes and leaf values of models that are applied: more of them cost time and show nothing new.
const MOST_NUMBERS: usize = 20_000;

pub(crate) fn trees_file(bytes: &[u8]) {
    const PREFIX: usize = 20;
    let mut bytes = bytes.to_vec();
    sign(&mut bytes, PREFIX);
    if let Ok(ensemble) = Ensemble::read(&bytes) {
        let mut written = Vec::new();
        ensemble.write(&mut written).expect("memory");
        let again = Ensemble::read(&written).expect("what was written is read");
        assert_eq!(format!("{again:?}"), format!("{ensemble:?}"));
        apply(&ensemble);
    }
}

pub(crate) fn lightgbm(bytes: &[u8]) {
    if let Ok(ensemble) = Ensemble::from_lightgbm(&String::from_utf8_lossy(bytes)) {
        apply(&ensemble);
    }
}

pub(crate) fn xgboost(bytes: &[u8]) {
    if let Ok(ensemble) = Ensemble::from_xgboost(&String::from_utf8_lossy(bytes)) {
        apply(&ensemble);
    }
}

/// Predicts and explains a few rows.
fn apply(ensemble: &Ensemble) {
    ensemble.check().expect("what is read passes the check");
    let numbers: usize = ensemble.trees.iter().map(|tree| tree.left.len() + tree.leaf_values.len()).sum();
    if numbers > MOST_NUMBERS || ensemble.features.len() > 1_000 {
        return;
    }
    let columns: Vec<[f64; ROWS]> =
        (0..ensemble.features.len()).map(|at| [0.0, 1.0, -1.0, at as f64 + 0.5, f64::NAN]).collect();
    let columns: Vec<&[f64]> = columns.iter().map(|column| column.as_slice()).collect();
    let rows = Rows::new(&columns).expect("columns of one length");
    let mut out = vec![0.0; rows.len() * ensemble.outputs];
    ensemble.margins(&rows, &mut out).expect("columns that fit");
    ensemble.predict(&rows, &mut out).expect("columns that fit");
    // Covers are needed for that, which not every model has.
    if let Ok(explainer) = Explainer::new(ensemble) {
        explainer.explain(&rows).expect("columns that fit");
    }
}

/// What `fine_tune` wrote, applied to a series.
pub(crate) fn tuned_file(bytes: &[u8]) {
    const PREFIX: usize = 16;
    let mut bytes = bytes.to_vec();
    sign(&mut bytes, PREFIX);
    let model = scratch::file("model", &bytes);
    let options = |model_path: PathBuf| Options {
        model_path: Some(model_path),
        ..Options::new(scratch::file("series.csv", SERIES.as_bytes()), 3)
    };
    let config = Config::resolve(options(model)).expect("sound options");
    let control = Control::new();
    if let Err(error) = check(&config, &control) {
        assert!(matches!(error, Failure::Model(_) | Failure::Content(_)), "{error}");
        return;
    }
    let output = Output {
        parquet_path: scratch::path("forecast.parquet"),
        csv_path: scratch::path("forecast.csv"),
        max_csv_bytes: 1 << 20,
        report_path: scratch::path("report.json"),
        findings_path: None,
        analyses_dir: None,
    };
    if let Err(error) = run(&config, &output, &control) {
        assert!(
            matches!(error, Failure::Model(_) | Failure::Content(_) | Failure::InvalidForecast(_)),
            "{error}"
        );
    }
}

/// Thirty days of one series.
const SERIES: &str = include_str!("series.csv");

/// Makes the checksum, which stands in the four bytes before `prefix`, agree with what follows.
fn sign(bytes: &mut [u8], prefix: usize) {
    if bytes.len() >= prefix {
        let sum = crc32fast::hash(&bytes[prefix..]);
        bytes[prefix - 4..prefix].copy_from_slice(&sum.to_le_bytes());
    }
}
