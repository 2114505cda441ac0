//! Reads a file into a panel and prints how long that took:
//! `ingest <path> [threads] [csv|parquet] [covariate,covariate]`.
//!
//! The time covers reading, parsing, the checks for nulls and duplicates, and grouping by item.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tabcast_table::{Columns, FileFormat, Limits, ReadOptions, dataset_hash, read_panel};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path =
        arguments.next().ok_or("usage: ingest <path> [threads] [csv|parquet] [covariate,covariate]")?;
    let threads = arguments.next().map_or(Ok(2), |text| text.parse())?;
    let format =
        if arguments.next().as_deref() == Some("parquet") { FileFormat::Parquet } else { FileFormat::Csv };
    let covariates =
        arguments.next().map_or(Vec::new(), |names| names.split(',').map(str::to_owned).collect());
    let cancel = AtomicBool::new(false);
    let options = ReadOptions {
        path: path.into(),
        format,
        columns: Columns { covariates, ..Columns::default() },
        limits: Limits::default(),
        threads,
        cancel: &cancel,
    };
    let start = Instant::now();
    let panel = read_panel(&options)?;
    let read = start.elapsed();
    let peak = peak_resident_kib()?;
    let start = Instant::now();
    let hash = dataset_hash(&panel);
    let hashed = start.elapsed();
    println!(
        "{{\"rows\":{},\"series\":{},\"threads\":{threads},\"seconds\":{:.3},\"hash_seconds\":{:.3},\"peak_rss_kib\":{peak},\"dataset_hash\":\"{hash}\"}}",
        panel.rows,
        panel.len(),
        read.as_secs_f64(),
        hashed.as_secs_f64(),
    );
    Ok(())
}

/// The high-water mark that Linux keeps for this process.
fn peak_resident_kib() -> Result<u64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).ok_or("no VmHWM line")?;
    Ok(line.split_whitespace().nth(1).ok_or("no number")?.parse()?)
}
