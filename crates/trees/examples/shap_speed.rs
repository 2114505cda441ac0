//! Times explanations of one model on one thread and compares them with those in a file.
//!
//! ```text
//! shap_speed MODEL ROWS [CONTRIBUTIONS]
//! ```
//!
//! MODEL ends in `.txt` (`LightGBM`), `.json` (`XGBoost`) or is a model file of this crate. ROWS holds one column of doubles after
//! the other, as many as the model has features. CONTRIBUTIONS holds doubles row after row: for each output the features
//! and then the base. Prints CPU times.

use std::error::Error;

use tabcast_trees::{Ensemble, Explainer, Explanation, Rows};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [model, rows, contributions @ ..] = &paths[..] else {
        return Err("usage: shap_speed MODEL ROWS [CONTRIBUTIONS]".into());
    };
    let ensemble = open(model)?;
    let values = doubles(rows)?;
    let count = values.len() / ensemble.features.len();
    let columns: Vec<&[f64]> = values.chunks_exact(count).collect();
    let rows = Rows::new(&columns)?;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;

    let mut file = Vec::new();
    ensemble.write(&mut file)?;
    let load = time(|| Ensemble::read(&file).map(|_| ()))?;
    println!("model file          {:8} bytes, read in {:.1} us", file.len(), load * 1e6);
    let set_up = time(|| Explainer::new(&ensemble).map(|_| ()))?;
    println!("set-up              {:8.2} us a tree", set_up * 1e6 / ensemble.trees.len() as f64);
    let explainer = Explainer::new(&ensemble)?;
    let mut margins = vec![0.0; count * ensemble.outputs];
    let predict = time(|| one.install(|| ensemble.margins(&rows, &mut margins)))?;
    println!("margins             {:8.2} us a row", predict * 1e6 / count as f64);
    let mut explanation = None;
    let explain = time(|| one.install(|| explainer.explain(&rows)).map(|found| explanation = Some(found)))?;
    println!("contributions       {:8.2} us a row of {count}", explain * 1e6 / count as f64);
    let explanation = explanation.ok_or("nothing was explained")?;
    println!("additivity error    {:8.1e}", explanation.max_additivity_error);
    if let Some(path) = contributions.first() {
        println!("largest difference  {:8.1e}", difference(&explanation, &doubles(path)?));
    }
    Ok(())
}

fn open(path: &str) -> Result<Ensemble, Box<dyn Error>> {
    let ending = std::path::Path::new(path).extension().and_then(std::ffi::OsStr::to_str);
    Ok(match ending {
        Some("txt") => Ensemble::from_lightgbm(&std::fs::read_to_string(path)?)?,
        Some("json") => Ensemble::from_xgboost(&std::fs::read_to_string(path)?)?,
        _ => Ensemble::read(&std::fs::read(path)?)?,
    })
}

fn doubles(path: &str) -> std::io::Result<Vec<f64>> {
    let bytes = std::fs::read(path)?;
    Ok(bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
}

/// CPU seconds of this thread so far.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: u64 = text.split_whitespace().next().ok_or("an empty schedstat")?.parse()?;
    Ok(nanoseconds as f64 / 1e9)
}

/// CPU seconds of one round: the least of three batches, each long enough for the clock, which ticks in milliseconds.
fn time<E: Error + 'static>(mut work: impl FnMut() -> Result<(), E>) -> Result<f64, Box<dyn Error>> {
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let (before, mut rounds) = (cpu_seconds()?, 0.0);
        while cpu_seconds()? - before < 0.4 {
            work()?;
            rounds += 1.0;
        }
        least = least.min((cpu_seconds()? - before) / rounds);
    }
    Ok(least)
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
