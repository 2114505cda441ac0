//! One run of the pipeline on rows that are held back; prints what the bench wants as a line of JSON.
//!
//! `cargo run --release -p tabcast-tabular --example tabular -- FILE LABEL classification|regression TEST_ROWS|-
//! OUT_FOLDER THREADS [STAGE]`
//!
//! `TEST_ROWS` is a file with the number of a row, from 0, on each line. `STAGE` is one of an ablation: `single`,
//! `bagged`, `second_kind`, `members`, `weighted` or `calibrated`, the default.

use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;
use tabcast_tabular::{Config, Control, Extent, Options, Output, run};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, label, task, test_rows, folder, threads, rest @ ..] = arguments.as_slice() else {
        return Err(
            "usage: FILE LABEL classification|regression TEST_ROWS|- OUT_FOLDER THREADS [STAGE]".into()
        );
    };
    let extent = match rest.first().map_or("calibrated", String::as_str) {
        "single" => Extent::Single,
        "bagged" => Extent::Bagged,
        "second_kind" => Extent::SecondKind,
        "members" => Extent::Members,
        "weighted" => Extent::Weighted,
        "calibrated" => Extent::Calibrated,
        other => return Err(format!("no stage {other}").into()),
    };
    let test_rows = match test_rows.as_str() {
        "-" => None,
        path => Some(
            fs::read_to_string(path)?.split_whitespace().map(str::parse).collect::<Result<Vec<u32>, _>>()?,
        ),
    };
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    let output = Output {
        parquet_path: folder.join("predictions.parquet"),
        csv_path: folder.join("predictions.csv"),
        max_csv_bytes: 1 << 30,
        metrics_path: folder.join("metrics.json"),
        analyses_dir: None,
        report_path: folder.join("report.json"),
    };
    let options = Options { threads: threads.parse()?, extent, test_rows, ..Options::new(path, task, label) };
    let began = Instant::now();
    let summary = run(&Config::resolve(options)?, &output, &Control::new())?;
    let seconds = began.elapsed().as_secs_f64();
    let report = &summary.report;
    let metric =
        |name: &str| report.metrics.iter().find(|metric| metric.name == name).and_then(|metric| metric.value);
    println!(
        "{}",
        json!({
            "rows": report.counts.training,
            "tested": report.evaluated_rows,
            "loss": metric("log_loss").or_else(|| metric("rmse")),
            "ece": metric("calibration_error"),
            "coverage": report.residuals.as_ref().map(|residuals| residuals.coverage_80),
            "folds": report.split.folds * report.split.repeats,
            "seconds": seconds,
            "timings": report.timings,
            "peak_mib": peak_mib(),
            "members": report.leaderboard,
        })
    );
    Ok(())
}

/// The kernel's high-water mark of resident memory; none where there is no /proc.
fn peak_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}
