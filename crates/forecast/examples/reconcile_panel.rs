//! Forecasts a hierarchy from a file of its bottom series, without the service around it; prints what was done as JSON.
//!
//! METHOD is `bottom_up`, `top_down:PROPORTIONS` or `min_trace:WEIGHTS`, COLUMNS a comma list of hierarchy columns,
//! empty where the item ids are split at `/`, LEVELS a comma list of quantile levels, the default when empty.
//!
//! `cargo run --release -p tabcast-forecast --example reconcile_panel -- FILE.{csv,parquet} COLUMNS METHOD
//! RESIDUAL_WINDOWS HORIZON PRESET THREADS OUT_FOLDER [LEVELS]`

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use serde::de::DeserializeOwned;
use tabcast_forecast::{Config, Control, Options, Output, ReconciliationOptions, run};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, columns, method, windows, horizon, preset, threads, folder, levels @ ..] =
        arguments.as_slice()
    else {
        return Err(
            "usage: FILE COLUMNS METHOD RESIDUAL_WINDOWS HORIZON PRESET THREADS OUT_FOLDER [LEVELS]".into()
        );
    };
    let listed = |text: &str| -> Vec<String> {
        text.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let levels = levels.first().map_or_else(Vec::new, |levels| listed(levels));
    let config = Config::resolve(Options {
        preset: named(preset)?,
        threads: threads.parse()?,
        quantile_levels: levels.iter().map(|level| level.parse()).collect::<Result<_, _>>()?,
        reconciliation: Some(with_method(
            method,
            ReconciliationOptions {
                hierarchy_columns: listed(columns),
                residual_windows: windows.parse()?,
                ..ReconciliationOptions::default()
            },
        )?),
        ..Options::new(path, horizon.parse()?)
    })?;
    let folder = PathBuf::from(folder);
    let output = Output {
        parquet_path: folder.join("forecast.parquet"),
        csv_path: folder.join("forecast.csv"),
        max_csv_bytes: 1 << 30,
        report_path: folder.join("report.json"),
        findings_path: None,
        analyses_dir: None,
    };
    let began = Instant::now();
    let summary = run(&config, &output, &Control::new())?;
    let seconds = began.elapsed().as_secs_f64();
    let found = summary.reconciliation.ok_or("the run reconciled nothing")?;
    let done = serde_json::json!({
        "series": found.num_series,
        "bottom": found.num_bottom,
        "method": found.method,
        "weights": found.weights,
        "shrinkage": found.shrinkage,
        "residual_windows_used": found.residual_windows_used,
        "max_incoherence_before": found.max_incoherence_before,
        "max_incoherence_after": found.max_incoherence_after,
        "fallback": found.fallback.map(|fallback| fallback.reason),
        "warnings": found.warnings,
        "reconcile": summary.timings.reconcile,
        "seconds": seconds,
    });
    println!("{done}");
    Ok(())
}

/// `METHOD` or `METHOD:CHOICE`.
fn with_method(text: &str, mut options: ReconciliationOptions) -> serde_json::Result<ReconciliationOptions> {
    let (method, choice) = text.split_once(':').unwrap_or((text, ""));
    options.method = named(method)?;
    match (method, choice) {
        (_, "") => {}
        ("top_down", choice) => options.top_down_method = named(choice)?,
        (_, choice) => options.weights = named(choice)?,
    }
    Ok(options)
}

fn named<T: DeserializeOwned>(name: &str) -> serde_json::Result<T> {
    serde_json::from_value(name.into())
}
