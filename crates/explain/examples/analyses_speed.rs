//! Times the correlations and the rolling regression of a panel of made-up numbers and prints a line of JSON for each.
//!
//! `cargo run --release -p tabcast-explain --example analyses_speed -- [SERIES] [ROWS] [FEATURES] [THREADS] [MISSING]`
//!
//! By default 100 series of 500 rows with 25 features on 2 threads; `MISSING` is the share of cells without a value, 0.

use std::error::Error;
use std::time::Instant;
use std::{env, fs};

use tabcast_explain::{
    Feature, FeatureFeatureOptions, FeatureTargetOptions, Features, RollingRegressionOptions, SeriesRows,
    Skip, Values, feature_feature, feature_target, rolling_regression,
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let count =
        |at: usize, default: usize| arguments.get(at).map_or(Ok(default), |text| text.parse::<usize>());
    let (series, length, width) = (count(0, 100)?, count(1, 500)?, count(2, 25)?);
    rayon::ThreadPoolBuilder::new().num_threads(count(3, 2)?).build_global()?;
    let missing: f64 = arguments.get(4).map_or(Ok(0.0), |text| text.parse())?;

    let rows = series * length;
    let columns: Vec<Vec<f64>> = (0..width as u64).map(|seed| random_walk(rows, seed, missing)).collect();
    let noise = random_walk(rows, 99, 0.0);
    let target: Vec<f64> = (0..rows)
        .map(|row| noise[row] + columns.iter().take(3).map(|column| column[row]).sum::<f64>())
        .collect();
    let named = columns.into_iter().enumerate();
    let named =
        named.map(|(place, values)| Feature { name: format!("c{place}"), values: Values::Numbers(values) });
    let features = Features::new(rows, named.collect()).ok_or("columns of different lengths")?;
    let panel =
        SeriesRows::new((1..=series).map(|index| index * length).collect()).ok_or("series out of order")?;
    let values = Values::Numbers(target.clone());

    let all = FeatureTargetOptions { season: 7, ..FeatureTargetOptions::default() };
    let regression = RollingRegressionOptions { season: 7, ..RollingRegressionOptions::default() };
    let stop = || false;
    timed("feature_feature", || {
        Ok(feature_feature(&features, Some(&panel), &FeatureFeatureOptions::default(), &stop)?
            .pairs
            .value
            .len())
    })?;
    timed("feature_target", || {
        Ok(feature_target(&features, &values, Some(&panel), &all, &stop)?.value.len())
    })?;
    timed("rolling_regression", || {
        Ok(rolling_regression(&features, &target, &panel, &regression, &stop)?.coefficients.t.len())
    })
}

/// The best wall time of five runs, the mean of their CPU time, and how many rows came out.
fn timed(name: &str, run: impl Fn() -> Result<usize, Skip>) -> Result<(), Box<dyn Error>> {
    const RUNS: u32 = 5;
    let (mut best, mut found) = (f64::INFINITY, 0);
    let cpu = cpu_seconds()?;
    for _ in 0..RUNS {
        let start = Instant::now();
        found = run().map_err(Skip::name)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let cpu = (cpu_seconds()? - cpu) / f64::from(RUNS);
    println!(
        "{{\"analysis\":\"{name}\",\"wall_seconds\":{best:.4},\"cpu_seconds\":{cpu:.3},\"rows\":{found}}}"
    );
    Ok(())
}

fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit_once(')').ok_or("no process name")?.1.split_whitespace().collect();
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / 100.0)
}

fn random_walk(rows: usize, seed: u64, missing: f64) -> Vec<f64> {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut at = 0.0;
    let mut value = || {
        at = 0.9 * at + next() - 0.5;
        if next() < missing { f64::NAN } else { at }
    };
    (0..rows).map(|_| value()).collect()
}
