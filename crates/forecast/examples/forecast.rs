//! Forecasts a file without the service around it; prints the seconds of each stage and the peak of memory as JSON.
//!
//! LEVELS is a comma list of quantile levels, the default when empty; no CSV is written above `MAX_CSV_BYTES`.
//! COVARIATES is a comma list of columns; with `without-global` the trees of all series take no part; FREQ is
//! inferred when left out.
//!
//! `cargo run --release -p tabcast-forecast --example forecast -- FILE.{csv,parquet} HORIZON PRESET THREADS
//! OUT_FOLDER [LEVELS [MAX_CSV_BYTES [COVARIATES [without-global|with-global [FREQ]]]]]`

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use tabcast_forecast::{Config, Control, Options, Output, run};
use tabcast_table::Columns;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, horizon, preset, threads, folder, options @ ..] = arguments.as_slice() else {
        return Err("usage: FILE HORIZON PRESET THREADS OUT_FOLDER [LEVELS [MAX_CSV_BYTES [COVARIATES \
            [without-global|with-global [FREQ]]]]]"
            .into());
    };
    let levels = options.first().map_or("", String::as_str);
    let max_csv_bytes = options.get(1).map_or(Ok(1 << 28), |text| text.parse())?;
    let quantile_levels =
        levels.split(',').filter(|text| !text.is_empty()).map(str::parse).collect::<Result<_, _>>()?;
    let covariates = options.get(2).map_or("", String::as_str);
    let covariates = covariates.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let columns = Columns { covariates, ..Columns::default() };
    let config = Config::resolve(Options {
        preset: serde_json::from_value(preset.as_str().into())?,
        quantile_levels,
        threads: threads.parse()?,
        global_member: options.get(3).map(String::as_str) != Some("without-global"),
        columns,
        freq: options.get(4).cloned(),
        ..Options::new(path, horizon.parse()?)
    })?;
    let folder = PathBuf::from(folder);
    let output = Output {
        parquet_path: folder.join("forecast.parquet"),
        csv_path: folder.join("forecast.csv"),
        max_csv_bytes,
        report_path: folder.join("report.json"),
        findings_path: None,
        analyses_dir: None,
    };
    let began = Instant::now();
    let summary = run(&config, &output, &Control::new())?;
    let seconds = began.elapsed().as_secs_f64();
    let timings = summary.timings;
    println!(
        r#"{{"series": {}, "freq": "{}", "csv_written": {}, "ingest": {:.6}, "validate": {:.6}, "fit": {:.6}, "predict": {:.6}, "write": {:.6}, "seconds": {seconds:.6}, "peak_bytes": {}}}"#,
        summary.num_items,
        summary.freq,
        summary.csv_written,
        timings.ingest,
        timings.validate,
        timings.fit,
        timings.predict,
        timings.write,
        peak_resident_bytes()?
    );
    Ok(())
}

/// The high-water mark that Linux keeps for this process, in bytes.
fn peak_resident_bytes() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).ok_or("no VmHWM line")?;
    let kibibytes: u64 = line.split_whitespace().nth(1).ok_or("no number")?.parse()?;
    Ok(kibibytes * 1024)
}
