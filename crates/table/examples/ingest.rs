//! Reads a file into a panel and prints how long that took:
//! `ingest <path> [threads] [csv|json|jsonl|parquet|xls|xlsx] [covariate,covariate] [level,level]`, where `csv.gz`
//! and the like are unpacked, and the levels are the columns of a hierarchy.
//!
//! The time covers reading, parsing, the checks for nulls and duplicates, and grouping by item.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tabcast_table::{
    Columns, Compression, FileFormat, HierarchyColumns, Limits, ReadOptions, dataset_hash, read_panel,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or("usage: ingest <path> [threads] [format] [covariate,covariate] [level,level]")?;
    let threads = arguments.next().map_or(Ok(2), |text| text.parse())?;
    let (format, compression) = parse_format(arguments.next().as_deref().unwrap_or("csv"))?;
    let mut names = || {
        let names = arguments.next().unwrap_or_default();
        names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (covariates, levels) = (names(), names());
    let hierarchy = (!levels.is_empty()).then(|| HierarchyColumns {
        columns: levels,
        separator: "/".to_owned(),
        total_label: "total".to_owned(),
    });
    let cancel = AtomicBool::new(false);
    let options = ReadOptions {
        paths: vec![path.into()],
        format,
        compression,
        sheet: None,
        columns: Columns { covariates, hierarchy, ..Columns::default() },
        date_order: None,
        limits: Limits::default(),
        scratch: None,
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

fn parse_format(text: &str) -> Result<(FileFormat, Option<Compression>), String> {
    let (format, packing) = text.split_once('.').unwrap_or((text, ""));
    let format = match format {
        "csv" => FileFormat::Csv,
        "json" => FileFormat::Json,
        "jsonl" => FileFormat::Jsonl,
        "parquet" => FileFormat::Parquet,
        "xls" => FileFormat::Xls,
        "xlsx" => FileFormat::Xlsx,
        _ => return Err(format!("no format is called {format}")),
    };
    let compression = match packing {
        "" => None,
        "gz" => Some(Compression::Gzip),
        "zst" => Some(Compression::Zstd),
        _ => return Err(format!("no compression is called {packing}")),
    };
    Ok((format, compression))
}

/// The high-water mark that Linux keeps for this process.
fn peak_resident_kib() -> Result<u64, Box<dyn std::error::Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).ok_or("no VmHWM line")?;
    Ok(line.split_whitespace().nth(1).ok_or("no number")?.parse()?)
}
