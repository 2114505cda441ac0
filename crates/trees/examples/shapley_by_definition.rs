//! Compares explanations with sums over all subsets of features, on random ensembles, and prints a line of JSON.
//!
//! `cargo run --release -p tabcast-trees --example shapley_by_definition -- ENSEMBLES`
//!
//! Trees have up to ten features, half of them categorical, and up to nine levels: with missing values and unknown
//! categories, with features that are split again and again, with leaves that no training row reached, with several
//! outputs, symmetric ones.

use std::error::Error;

use tabcast_trees::{Explainer, Rows};

#[path = "../tests/trees/brute.rs"]
mod brute;
#[path = "../tests/trees/random.rs"]
mod random;

use random::{Kind, Random, columns, ensemble, slices};

const ROWS: usize = 9;

/// The largest differences so far.
#[derive(Default)]
struct Largest {
    value: f64,
    interaction: f64,
    additivity: f64,
    compared: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let ensembles: u64 = std::env::args().nth(1).ok_or("usage: shapley_by_definition ENSEMBLES")?.parse()?;
    let mut largest = Largest::default();
    for seed in 0..ensembles {
        let mut random = Random(seed);
        let kind = kind(&mut random);
        compare(kind, &mut random, &mut largest)?;
    }
    println!(
        r#"{{"ensembles": {ensembles}, "compared": {}, "value": {:e}, "interaction": {:e}, "additivity": {:e}}}"#,
        largest.compared, largest.value, largest.interaction, largest.additivity
    );
    Ok(())
}

/// A random kind of trees. Ten features are rare: a row has 1,024 subsets of them.
fn kind(random: &mut Random) -> Kind {
    let features = if random.chance(0.1) { 10 } else { 2 + random.below(7) };
    let outputs = if random.chance(0.3) { 2 + random.below(2) } else { 1 };
    let symmetric = random.chance(0.25);
    Kind {
        outputs,
        wide: outputs > 1 && random.chance(0.5),
        zero_cover: if random.chance(0.3) { 0.4 } else { 0.0 },
        symmetric,
        stop: random.unit() * 0.4,
        ..Kind::plain(
            features,
            1 + random.below(4),
            if symmetric { random.below(7) } else { random.below(10) },
        )
    }
}

fn compare(kind: Kind, random: &mut Random, largest: &mut Largest) -> Result<(), Box<dyn Error>> {
    let ensemble = ensemble(kind, random);
    let columns = columns(kind.features, ROWS, random);
    let slices = slices(&columns);
    let rows = Rows::new(&slices)?;
    let explainer = Explainer::new(&ensemble)?;
    let explanation = explainer.explain(&rows)?;
    let pairs = explainer.interactions(&rows)?;
    largest.additivity = largest.additivity.max(explanation.max_additivity_error);
    for output in 0..kind.outputs {
        for row in 0..ROWS {
            let cells: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            let values = brute::values(&ensemble, output, &cells);
            for feature in 0..kind.features {
                let expected = brute::shapley(&values, kind.features, feature);
                let found = explanation.column(output, feature)[row];
                largest.value = largest.value.max((found - expected).abs());
                largest.compared += 1;
                for other in 0..feature {
                    let expected = brute::interaction(&values, kind.features, feature, other);
                    let found = pairs.column(output, feature, other)[row];
                    largest.interaction = largest.interaction.max((found - expected).abs());
                }
            }
        }
    }
    Ok(())
}
