//! Forecasts a file without the service around it; prints the seconds of each stage as JSON.
//!
//! `cargo run --release -p tabcast-forecast --example forecast -- FILE.{csv,parquet} HORIZON PRESET THREADS OUT_FOLDER [LEVELS]`

use std::env;
use std::error::Error;
use std::path::PathBuf;

use tabcast_forecast::{Config, Control, Options, Output, run};
use tabcast_table::{Columns, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, horizon, preset, threads, folder, levels @ ..] = arguments.as_slice() else {
        return Err("usage: FILE HORIZON PRESET THREADS OUT_FOLDER [LEVELS]".into());
    };
    let levels = levels.first().map_or("", String::as_str);
    let input_path = PathBuf::from(path);
    let format = input_path.extension().and_then(|extension| extension.to_str()).unwrap_or("csv").to_owned();
    let config = Config::resolve(Options {
        input_path,
        format,
        columns: Columns::default(),
        prediction_length: horizon.parse()?,
        preset: preset.clone(),
        freq: None,
        quantile_levels: levels
            .split(',')
            .filter(|text| !text.is_empty())
            .map(str::parse)
            .collect::<Result<_, _>>()?,
        timestamp_format: "pandas".to_owned(),
        quantile_column_style: "raw".to_owned(),
        limits: Limits::default(),
        max_forecast_points: 50_000_000,
        threads: threads.parse()?,
        budget: None,
    })?;
    let folder = PathBuf::from(folder);
    let output = Output {
        parquet_path: folder.join("forecast.parquet"),
        csv_path: folder.join("forecast.csv"),
        max_csv_bytes: 1 << 28,
        report_path: folder.join("report.json"),
    };
    let summary = run(&config, &output, &Control::new())?;
    let timings = summary.timings;
    println!(
        r#"{{"series": {}, "freq": "{}", "ingest": {:.3}, "validate": {:.3}, "fit": {:.3}, "predict": {:.3}, "write": {:.3}}}"#,
        summary.num_items,
        summary.freq,
        timings.ingest,
        timings.validate,
        timings.fit,
        timings.predict,
        timings.write
    );
    Ok(())
}
