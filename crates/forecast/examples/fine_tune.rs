//! Trains a model from a file, or forecasts a file with one; prints seconds as JSON.
//!
//! `cargo run --release -p tabcast-forecast --example fine_tune -- train FILE.{csv,parquet} HORIZON MODEL THREADS
//! [LOSS [COVARIATE,...]]` `cargo run --release -p tabcast-forecast --example fine_tune -- apply FILE.{csv,parquet}
//! HORIZON MODEL THREADS OUT_FOLDER`

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use tabcast_forecast::{Config, Control, Options, Output, TuneConfig, TuneOptions, fine_tune, run};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, verb, path, horizon, model, threads, rest @ ..] = arguments.as_slice() else {
        return Err("usage: train|apply FILE HORIZON MODEL THREADS ...".into());
    };
    let options = Options { threads: threads.parse()?, ..Options::new(path, horizon.parse()?) };
    let began = Instant::now();
    if verb == "train" {
        let mut forecast = options;
        let covariates = rest.get(1).map_or("", String::as_str);
        forecast.columns.covariates =
            covariates.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let tuning = TuneOptions {
            forecast,
            model_path: PathBuf::from(model),
            loss: serde_json::from_value(rest.first().map_or("mae", String::as_str).into())?,
            validation_windows: 1,
        };
        let summary = fine_tune(&TuneConfig::resolve(tuning)?, &Control::new())?;
        println!(
            r#"{{"series": {}, "bytes": {}, "seconds": {:.3}, "candidate": "{:?}", "baseline": "{:?}"}}"#,
            summary.num_items,
            summary.size_bytes,
            began.elapsed().as_secs_f64(),
            summary.candidate,
            summary.baseline
        );
        return Ok(());
    }
    let folder = PathBuf::from(rest.first().ok_or("no folder for the forecast")?);
    let output = Output {
        parquet_path: folder.join("forecast.parquet"),
        csv_path: folder.join("forecast.csv"),
        max_csv_bytes: 1 << 30,
        report_path: folder.join("report.json"),
        findings_path: None,
        analyses_dir: None,
    };
    let config = Config::resolve(Options { model_path: Some(PathBuf::from(model)), ..options })?;
    let summary = run(&config, &output, &Control::new())?;
    let timings = summary.timings;
    println!(
        r#"{{"series": {}, "rows": {}, "ingest": {:.4}, "validate": {:.4}, "predict": {:.4}, "write": {:.4}, "seconds": {:.4}}}"#,
        summary.num_items,
        summary.rows,
        timings.ingest,
        timings.validate,
        timings.fit + timings.predict,
        timings.write,
        began.elapsed().as_secs_f64()
    );
    Ok(())
}
