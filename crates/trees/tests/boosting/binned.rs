//! Training on rows that the caller binned, part by part.

use tabcast_trees::boosting::{BinnedRows, Bins, Booster, Labelled, Loss, Params, TrainError};
use tabcast_trees::{Ensemble, Feature, Rows};

use crate::generated::{Data, growths};

/// Twenty features (so that there are two tiles), one of them of categories, with missing values and weights.
fn data(rows: usize, seed: u64) -> Data {
    let (mut data, other) = (Data::friedman(rows, seed), Data::friedman(rows, seed + 100));
    data.columns.extend(other.columns.into_iter().take(9));
    data.columns.push((0..rows).map(|row| (row * 7919 % 11) as f64).collect());
    data.features = (0..19).map(|at| Feature::numeric(format!("x{at}"))).collect();
    data.features.push(Feature::categorical("c", Vec::new()));
    for row in 0..rows {
        data.target[row] += (data.columns[19][row]).cos() * 4.0;
        data.columns[row % 20][row] = f64::NAN;
    }
    data.weights = Some((0..rows).map(|row| (row % 3) as f64).collect());
    data
}

/// The rows in chunks, the last one first.
fn binned(bins: &Bins, data: &Data, chunk: usize) -> BinnedRows {
    let mut rows = BinnedRows::new(bins, data.target.len());
    for start in (0..data.target.len()).step_by(chunk).collect::<Vec<_>>().into_iter().rev() {
        let end = data.target.len().min(start + chunk);
        let columns: Vec<&[f64]> = data.columns.iter().map(|column| &column[start..end]).collect();
        let chunk = Rows::new(&columns).expect("equal lengths");
        rows.write(start, &chunk).expect("rows within the table");
    }
    rows
}

fn bytes(ensemble: &Ensemble) -> Vec<u8> {
    let mut file = Vec::new();
    ensemble.write(&mut file).expect("memory takes all bytes");
    file
}

#[test]
fn rows_binned_in_chunks_give_the_bytes_of_whole_columns() {
    let (train, valid) = (data(6000, 1), Data { weights: None, ..data(1000, 2) });
    let (columns, valid_columns) = (train.views(), valid.views());
    let (rows, valid_rows) = (Rows::new(&columns).expect("equal"), Rows::new(&valid_columns).expect("equal"));
    let bins = Bins::find(&train.features, &rows, 254).expect("columns that can be binned");
    for growth in growths() {
        let params =
            Params { growth, rounds: 20, patience: Some(5), seed: 3, ..Params::new(Loss::SquaredError) };
        let booster = Booster::new(params);
        let weights = train.weights.as_deref();
        let labelled = Labelled { rows: &rows, target: &train.target, weights };
        let validation = Labelled { rows: &valid_rows, target: &valid.target, weights: None };
        let (whole, report) =
            booster.train(&train.features, &labelled, Some(&validation), None).expect("trained");
        for chunk in [6000, 2500, 1, 4096] {
            let (parts, valid_parts) = (binned(&bins, &train, chunk), binned(&bins, &valid, chunk));
            let validation = Some((&valid_parts, valid.target.as_slice()));
            let (ensemble, other) = booster
                .train_binned(&bins, &parts, &train.target, weights, validation, None)
                .expect("trained");
            assert!(bytes(&ensemble) == bytes(&whole), "{growth:?} in chunks of {chunk}");
            assert_eq!(other, report);
        }
    }
}

#[test]
fn rows_that_were_not_written_are_missing() {
    let columns: [&[f64]; 1] = [&[1.0, 2.0, 3.0, 4.0]];
    let features = [Feature::numeric("x")];
    let bins = Bins::find(&features, &Rows::new(&columns).expect("one column"), 254).expect("bins");
    let mut rows = BinnedRows::new(&bins, 200);
    let written = vec![1.0; 100];
    rows.write(100, &Rows::new(&[&written]).expect("one column")).expect("the last rows");
    let target: Vec<f64> = (0..200).map(|row| f64::from(row < 100)).collect();
    let params =
        Params { rounds: 1, learning_rate: 1.0, row_fraction: 1.0, ..Params::new(Loss::SquaredError) };
    let (ensemble, _) =
        Booster::new(params).train_binned(&bins, &rows, &target, None, None, None).expect("trained");
    let mut out = [0.0; 2];
    ensemble.predict(&Rows::new(&[&[f64::NAN, 1.0]]).expect("one column"), &mut out).expect("two rows");
    assert!((out[0] - 1.0).abs() < 1e-9 && out[1].abs() < 1e-9, "{out:?}");
}

#[test]
fn bins_and_rows_that_do_not_fit_are_named() {
    let target: Vec<f64> = (0..12).map(f64::from).collect();
    let columns = [target.as_slice()];
    let (rows, features) = (Rows::new(&columns).expect("one column"), [Feature::numeric("x")]);
    let find = |max_bins| Bins::find(&features, &rows, max_bins);
    let bins = find(254).expect("bins");
    assert!(matches!(find(255), Err(TrainError::Parameter(text)) if text.contains("max_bins")));
    let refused = Bins::find(&[], &rows, 254).map(|_| ());
    assert_eq!(refused, Err(TrainError::Shape("1 columns for 0 features".into())));
    let mut binned = BinnedRows::new(&bins, 12);
    let refused = binned.write(1, &rows);
    assert_eq!(refused, Err(TrainError::Shape("12 rows from row 1 on, in a table of 12".into())));
    binned.write(0, &rows).expect("all rows");
    let booster = Booster::new(Params::new(Loss::SquaredError));
    let train = |bins: &Bins, target: &[f64], validation| {
        booster.train_binned(bins, &binned, target, None, validation, None).map(|_| ())
    };
    assert_eq!(train(&bins, &target, None), Ok(()));
    assert_eq!(train(&bins, &[1.0], None), Err(TrainError::Shape("12 rows with 1 targets".into())));
    let short = Some((&binned, &target[1..]));
    assert_eq!(train(&bins, &target, short), Err(TrainError::Shape("12 rows with 11 targets".into())));
    let other = find(2).expect("bins");
    let refused = train(&other, &target, None);
    assert_eq!(refused, Err(TrainError::Shape("rows of other bins than those given".into())));
}
