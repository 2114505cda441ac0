//! Times reconciliation alone, and prints a line of JSON: the median of the rounds' seconds and the fastest, the
//! seconds that building the tree from its paths took, nodes and leaves, the shrinkage intensity and the peak memory
//! of the process in MiB (Linux).
//!
//! Case `retail` has the size of the M5 competition's hierarchy: 42,840 nodes, 30,490 of them leaves, 28 steps;
//! `million` a million leaves on four levels, 12 steps. Weights are `ols`, `wls_struct`, `wls_var`, `shrink` or
//! `bottom_up`. `--write DIR` writes the tree, the base forecasts and the residuals, so that another program
//! reconciles the same numbers: `parents.i32` (-1 for the root), `leaf_paths.txt`, `base.f64` (nodes x steps) and
//! `residuals.f64` (nodes x steps), all little-endian and node by node, and `reconciled.f64`, the result.
//!
//! `cargo run --release -p tabcast-reconcile --example reconcile_speed -- CASE WEIGHTS [--rounds N] [--write DIR]`

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use tabcast_reconcile::{Covariance, Method, Reconciler, Residuals, Tree};

struct Case {
    paths: Vec<String>,
    tree: Tree,
    tree_seconds: f64,
    steps: usize,
    base: Vec<f64>,
    residuals: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let option =
        |name: &str| arguments.iter().position(|text| text == name).and_then(|at| arguments.get(at + 1));
    let (Some(name), Some(weights)) = (arguments.first(), arguments.get(1)) else {
        return Err("usage: CASE WEIGHTS [--rounds N] [--write DIR]".into());
    };
    let rounds: usize = option("--rounds").map_or(Ok(9), |text| text.parse())?;
    let case = build(name, weights == "shrink" || weights == "wls_var" || option("--write").is_some())?;
    let mut seconds = Vec::new();
    let (mut reconciled, mut intensity) = (Vec::new(), None);
    for _ in 0..rounds {
        // The result takes the place of the base forecasts; whatever a method makes of the residuals counts.
        let base = case.base.clone();
        let start = Instant::now();
        let residuals = Residuals::new(&case.residuals, case.steps);
        let method = match weights.as_str() {
            "bottom_up" => Method::BottomUp,
            "ols" => Method::MinTrace(Covariance::Identity),
            "wls_struct" => Method::MinTrace(Covariance::Structural),
            "wls_var" => Method::MinTrace(Covariance::ResidualVariances(residuals)),
            "shrink" => Method::MinTrace(Covariance::Shrinkage(residuals)),
            _ => return Err(format!("no weights {weights}").into()),
        };
        let reconciler = Reconciler::new(&case.tree, method)?;
        reconciled = black_box(reconciler.apply_counted(black_box(base), case.steps, false).values);
        seconds.push(start.elapsed().as_secs_f64());
        intensity = reconciler.shrinkage();
    }
    seconds.sort_by(f64::total_cmp);
    println!(
        r#"{{"case": "{name}", "weights": "{weights}", "nodes": {}, "leaves": {}, "steps": {}, "rounds": {rounds}, "tree_seconds": {:.6}, "seconds": {:.6}, "fastest": {:.6}, "shrinkage": {}, "peak_mib": {}}}"#,
        case.tree.len(),
        case.tree.num_bottom(),
        case.steps,
        case.tree_seconds,
        seconds[seconds.len() / 2],
        seconds[0],
        intensity.map_or_else(|| "null".into(), |intensity| intensity.to_string()),
        peak_mib().map_or_else(|| "null".into(), |peak| format!("{peak:.0}")),
    );
    if let Some(folder) = option("--write") {
        write(&case, &reconciled, Path::new(folder))?;
    }
    Ok(())
}

fn build(name: &str, with_residuals: bool) -> Result<Case, Box<dyn Error>> {
    let (paths, steps) = match name {
        "retail" => (retail_paths(), 28),
        "million" => {
            let path = |leaf: usize| format!("r{:03}/s{:04}/i{leaf:07}", leaf / 10_000, leaf / 100);
            ((0..1_000_000).map(path).collect(), 12)
        }
        _ => return Err(format!("no case {name}").into()),
    };
    let start = Instant::now();
    let tree = Tree::from_paths(paths.iter().map(String::as_str), "/", "total")?;
    let tree_seconds = start.elapsed().as_secs_f64();
    let mut state = 1_u64;
    let mut random = move || {
        // Knuth's MMIX generator: the numbers only have to be varied.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut base = vec![0.0; tree.len() * steps];
    let leaves: Vec<usize> = tree.bottom().collect();
    for &leaf in &leaves {
        base[leaf * steps..(leaf + 1) * steps].fill_with(|| 10.0 * random());
    }
    tree.sum_up(&mut base, steps);
    for value in &mut base {
        *value *= 0.9 + 0.2 * random();
    }
    let mut residuals = Vec::new();
    if with_residuals {
        let common: Vec<f64> = (0..steps).map(|_| random() - 0.5).collect();
        for node in 0..tree.len() {
            let scale = (tree.leaf_count(node) as f64).sqrt();
            residuals.extend(common.iter().map(|common| scale * (random() - 0.5 + 0.5 * common)));
        }
    }
    Ok(Case { paths, tree, tree_seconds, steps, base, residuals })
}

/// 30,490 leaves under 10 states, 300 stores, 3,000 departments and 9,039 classes: with the total 12,350 inner nodes.
fn retail_paths() -> Vec<String> {
    const LEAVES: usize = 30_490;
    let path = |leaf: usize| {
        let class = leaf * 9_039 / LEAVES;
        let department = class * 3_000 / 9_039;
        format!(
            "state{}/store{:03}/dept{department:04}/class{class:04}/item{leaf:05}",
            department / 300,
            department / 10
        )
    };
    (0..LEAVES).map(path).collect()
}

fn write(case: &Case, reconciled: &[f64], folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let parent = |node: usize| case.tree.parent(node).map_or(-1, |parent| parent as i32);
    let parents: Vec<u8> = (0..case.tree.len()).flat_map(|node| parent(node).to_le_bytes()).collect();
    fs::write(folder.join("parents.i32"), parents)?;
    for (name, values) in
        [("base.f64", &case.base[..]), ("residuals.f64", &case.residuals), ("reconciled.f64", reconciled)]
    {
        fs::write(
            folder.join(name),
            values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>(),
        )?;
    }
    let mut text = String::new();
    for path in &case.paths {
        writeln!(text, "{path}")?;
    }
    Ok(fs::write(folder.join("leaf_paths.txt"), text)?)
}

/// The most memory that this process ever held.
fn peak_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok().map(|kib| kib / 1024.0)
}
