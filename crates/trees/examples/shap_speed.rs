//! Times explanations of one model and prints a line of JSON: times in microseconds, of the process's CPU and of the
//! clock.
//!
//! ```text
//! shap_speed MODEL ROWS THREADS [CONTRIBUTIONS]
//! ```
//!
//! MODEL ends in `.txt` (`LightGBM`), `.json` (`XGBoost`) or is a model file of this crate. ROWS holds one column of
//! doubles after the other, as many as the model has features. CONTRIBUTIONS holds doubles row after row: for each
//! output the features and then the base; they may be those of the first rows only, and the largest difference from
//! them is told.

use std::error::Error;
use std::fs;
use std::time::Instant;

use tabcast_trees::{Ensemble, Explainer, Explanation, Rows};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, rows, threads, contributions @ ..] = &arguments[..] else {
        return Err("usage: shap_speed MODEL ROWS THREADS [CONTRIBUTIONS]".into());
    };
    let ensemble = open(model)?;
    let values = doubles(rows)?;
    let count = values.len() / ensemble.features.len();
    let columns: Vec<&[f64]> = values.chunks_exact(count).collect();
    let rows = Rows::new(&columns)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.parse()?).build()?;

    let mut file = Vec::new();
    ensemble.write(&mut file)?;
    let load = time(|| Ensemble::read(&file).map(|_| ()))?;
    let set_up = time(|| Explainer::new(&ensemble).map(|_| ()))?;
    let explainer = Explainer::new(&ensemble)?;
    let mut margins = vec![0.0; count * ensemble.outputs];
    let predict = time(|| pool.install(|| ensemble.margins(&rows, &mut margins)))?;
    let mut explanation = None;
    let explain = time(|| pool.install(|| explainer.explain(&rows)).map(|found| explanation = Some(found)))?;
    let explanation = explanation.ok_or("nothing was explained")?;
    let largest = match contributions.first() {
        Some(path) => format!("{:e}", difference(&explanation, &doubles(path)?)),
        None => "null".to_owned(),
    };
    let each = 1e6 / count as f64;
    println!(
        r#"{{"rows": {count}, "trees": {}, "leaves": {}, "file_bytes": {}, "read_us": {:.2}, "set_up_us_a_tree": {:.3}, "margins_us_a_row": {:.4}, "cpu_us_a_row": {:.4}, "wall_us_a_row": {:.4}, "additivity_error": {:e}, "largest_difference": {largest}, "peak_mib": {:.1}}}"#,
        ensemble.trees.len(),
        ensemble.trees.iter().map(tabcast_trees::Tree::leaves).sum::<usize>(),
        file.len(),
        load.cpu * 1e6,
        set_up.cpu * 1e6 / ensemble.trees.len() as f64,
        predict.cpu * each,
        explain.cpu * each,
        explain.wall * each,
        explanation.max_additivity_error,
        peak_mib()?,
    );
    Ok(())
}

fn open(path: &str) -> Result<Ensemble, Box<dyn Error>> {
    let ending = std::path::Path::new(path).extension().and_then(std::ffi::OsStr::to_str);
    Ok(match ending {
        Some("txt") => Ensemble::from_lightgbm(&fs::read_to_string(path)?)?,
        Some("json") => Ensemble::from_xgboost(&fs::read_to_string(path)?)?,
        _ => Ensemble::read(&fs::read(path)?)?,
    })
}

fn doubles(path: &str) -> std::io::Result<Vec<f64>> {
    let bytes = fs::read(path)?;
    Ok(bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
}

/// CPU seconds of all threads of this process so far.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let mut nanoseconds = 0;
    for task in fs::read_dir("/proc/self/task")? {
        let text = fs::read_to_string(task?.path().join("schedstat"))?;
        nanoseconds += text.split_whitespace().next().ok_or("an empty schedstat")?.parse::<u64>()?;
    }
    Ok(nanoseconds as f64 / 1e9)
}

/// Seconds of one round.
#[derive(Clone, Copy)]
struct Times {
    cpu: f64,
    wall: f64,
}

/// The median of three batches, each long enough for the clock of a thread, which ticks in milliseconds.
fn time<E: Error + 'static>(mut work: impl FnMut() -> Result<(), E>) -> Result<Times, Box<dyn Error>> {
    let mut batches = Vec::new();
    for _ in 0..3 {
        let (cpu, wall, mut rounds) = (cpu_seconds()?, Instant::now(), 0.0);
        while wall.elapsed().as_secs_f64() < 0.4 {
            work()?;
            rounds += 1.0;
        }
        batches.push(Times {
            cpu: (cpu_seconds()? - cpu) / rounds,
            wall: wall.elapsed().as_secs_f64() / rounds,
        });
    }
    batches.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
    Ok(batches[1])
}

fn peak_mib() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no peak memory")?;
    Ok(line.trim().trim_end_matches(" kB").trim().parse::<f64>()? / 1024.0)
}

fn difference(explanation: &Explanation, expected: &[f64]) -> f64 {
    let width = explanation.features + 1;
    let rows = expected.chunks_exact(width * explanation.base.len());
    let differences = rows.enumerate().flat_map(|(row, expected)| {
        expected.iter().enumerate().map(move |(at, expected)| {
            let (output, feature) = (at / width, at % width);
            let found = match feature {
                feature if feature == explanation.features => explanation.base[output],
                feature => explanation.column(output, feature)[row],
            };
            (found - expected).abs()
        })
    });
    differences.fold(0.0, f64::max)
}
