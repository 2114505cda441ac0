//! Compares every method with matrices on random trees of up to 200 nodes, and prints the largest difference of each,
//! relative to the largest value, as a line of JSON.
//!
//! `cargo run --release -p tabcast-reconcile --example dense_equality -- [TREES]`

use std::collections::BTreeMap;
use std::env;
use std::error::Error;

use tabcast_reconcile::{Covariance, Method, Reconciler, Residuals, Tree};

#[path = "../tests/reconcile/dense.rs"]
mod dense;
#[path = "../tests/reconcile/double_double.rs"]
mod double_double;

use dense::{Matrix, Random, difference, project, random_tree, shrunk_covariance};

const LANES: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let trees: usize = env::args().nth(1).map_or(Ok(1000), |text| text.parse())?;
    let mut random = Random(20_261_121);
    let mut worst: BTreeMap<&str, f64> = BTreeMap::new();
    let mut nodes = 0;
    for _ in 0..trees {
        let tree = random_tree(&mut random, 200);
        nodes = nodes.max(tree.len());
        for (name, difference) in compare(&tree, &mut random)? {
            let largest = worst.entry(name).or_default();
            *largest = largest.max(difference);
        }
    }
    let figures: Vec<String> = worst.iter().map(|(name, value)| format!(r#""{name}": {value:e}"#)).collect();
    println!(r#"{{"trees": {trees}, "max_nodes": {nodes}, {}}}"#, figures.join(", "));
    Ok(())
}

fn compare(tree: &Tree, random: &mut Random) -> Result<Vec<(&'static str, f64)>, Box<dyn Error>> {
    let nodes = tree.len();
    let base = random.many(nodes * LANES, |random| 10.0 + 5.0 * random.bell());
    let spread = random.many(nodes * LANES, |random| random.bell().exp());
    let given = random.many(nodes, |random| (2.0 * random.bell()).exp());
    let shares = random.many(tree.num_bottom(), |random| random.bell().exp());
    let columns = 2 + random.below(60);
    let common = random.many(columns, Random::bell);
    let errors: Vec<f64> = (0..nodes * columns)
        .map(|at| {
            let (node, column) = (at / columns, at % columns);
            let error = (random.bell() + common[column]) * given[node].sqrt();
            // Every node keeps an error.
            if column > 0 && random.below(20) == 0 { f64::NAN } else { error }
        })
        .collect();
    let leaves: Vec<f64> = (0..nodes).map(|node| tree.leaf_count(node) as f64).collect();
    let (shrunk, _) = shrunk_covariance(&errors, columns);
    let equal = vec![1.0; nodes];
    let base_matrix = Matrix { rows: nodes, columns: LANES, values: base.clone() };
    let unit = Matrix::diagonal(&equal);
    let diagonal = |variances: &[f64], right: &Matrix| project(tree, &Matrix::diagonal(variances), right);
    let fixed = [
        ("bottom_up", Method::BottomUp, bottom_up(tree)),
        ("top_down", Method::TopDown { shares: &shares }, top_down(tree, &shares)),
        ("ols", Method::MinTrace(Covariance::Identity), diagonal(&equal, &unit)),
        ("wls_struct", Method::MinTrace(Covariance::Structural), diagonal(&leaves, &unit)),
        ("wls_var", Method::MinTrace(Covariance::Diagonal(&given)), diagonal(&given, &unit)),
    ];
    let mut found = Vec::new();
    for (name, method, mut matrix) in fixed {
        let reconciler = Reconciler::new(tree, method)?;
        let values = reconciler.apply(&base, LANES);
        found.push((name, difference(&values, &matrix.times(&base_matrix).values)));
        for value in &mut matrix.values {
            *value *= *value;
        }
        let expected = matrix.times(&Matrix { rows: nodes, columns: LANES, values: spread.clone() });
        found.push(("variances", difference(&reconciler.variances(&base, &spread, LANES), &expected.values)));
    }
    let residuals = Residuals::new(&errors, columns);
    let reconciler = Reconciler::new(tree, Method::MinTrace(Covariance::Shrinkage(residuals)))?;
    let expected = project(tree, &shrunk, &base_matrix);
    found.push(("shrink", difference(&reconciler.apply(&base, LANES), &expected.values)));
    let reconciler = Reconciler::new(tree, Method::ForecastProportions { shares: &shares })?;
    let expected = forecast_proportions(tree, &base, &shares);
    found.push(("forecast_proportions", difference(&reconciler.apply(&base, LANES), &expected)));
    Ok(found)
}

/// Every node takes the leaves below it.
fn bottom_up(tree: &Tree) -> Matrix {
    let mut matrix = Matrix::zeros(tree.len(), tree.len());
    for leaf in tree.bottom() {
        let mut node = Some(leaf);
        while let Some(own) = node {
            matrix.set(own, leaf, 1.0);
            node = tree.parent(own);
        }
    }
    matrix
}

fn leaf_shares(tree: &Tree, shares: &[f64]) -> Matrix {
    let mut all = Matrix::zeros(tree.len(), 1);
    for (leaf, share) in tree.bottom().zip(shares) {
        all.set(leaf, 0, *share);
    }
    bottom_up(tree).times(&all)
}

fn top_down(tree: &Tree, shares: &[f64]) -> Matrix {
    let sums = leaf_shares(tree, shares);
    let mut matrix = Matrix::zeros(tree.len(), tree.len());
    for node in 0..tree.len() {
        matrix.set(node, 0, sums.at(node, 0) / sums.at(0, 0));
    }
    matrix
}

fn forecast_proportions(tree: &Tree, base: &[f64], shares: &[f64]) -> Vec<f64> {
    let sums = leaf_shares(tree, shares);
    let mut values = base.to_vec();
    for node in 1..tree.len() {
        let parent = tree.parent(node).unwrap_or_default();
        let siblings: Vec<usize> =
            (1..tree.len()).filter(|&other| tree.parent(other) == Some(parent)).collect();
        for lane in 0..LANES {
            let of = |node: usize| base[node * LANES + lane];
            let total: f64 = siblings.iter().map(|&node| of(node)).sum();
            let one_sign = |sign: f64| siblings.iter().all(|&node| sign * of(node) >= 0.0);
            let usable = total != 0.0 && (one_sign(1.0) || one_sign(-1.0));
            let part = if usable { of(node) / total } else { sums.at(node, 0) / sums.at(parent, 0) };
            values[node * LANES + lane] = part * values[parent * LANES + lane];
        }
    }
    values
}
