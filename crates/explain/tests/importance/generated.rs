//! Tables with known predictions.

use tabcast_explain::{Feature, Features, Values};
use tabcast_statistics::random;

pub(crate) fn numbers(name: &str, values: Vec<f64>) -> Feature {
    Feature { name: name.to_owned(), values: Values::Numbers(values) }
}

pub(crate) fn noise(name: &str, seed: u64, rows: usize) -> Feature {
    numbers(name, (0..rows as u64).map(|row| random::normal(seed, row)).collect())
}

pub(crate) fn cells(features: &Features, column: usize) -> &[f64] {
    match &features.columns()[column].values {
        Values::Numbers(numbers) => numbers,
        Values::Levels { .. } => panic!("column {column} has levels"),
    }
}

pub(crate) fn table(columns: Vec<Feature>) -> Features {
    let rows = columns.first().map_or(0, |column| column.values.len());
    Features::new(rows, columns).expect("columns of one length")
}

/// Three columns that matter less and less, and one that does not; a category besides.
pub(crate) fn mixed(rows: usize) -> (Features, Vec<f64>) {
    let levels = Feature {
        name: "shop".to_owned(),
        values: Values::Levels {
            codes: (0..rows as u64).map(|row| (random::bits(77, row) % 4) as u32).collect(),
            names: ["north", "east", "south", "west"].map(str::to_owned).to_vec(),
        },
    };
    let features = table(vec![
        noise("price", 1, rows),
        noise("lag 1", 2, rows),
        noise("lag 2", 3, rows),
        noise("dummy", 4, rows),
        levels,
    ]);
    let predictions = (0..rows)
        .map(|row| {
            let shop = [0.0, 0.6, -0.6, 0.2][(random::bits(77, row as u64) % 4) as usize];
            let [price, first, second] = [0, 1, 2].map(|column| cells(&features, column)[row]);
            50.0 - 3.0 * price + 1.5 * first + 0.5 * second * first.abs() + shop
        })
        .collect();
    (features, predictions)
}
