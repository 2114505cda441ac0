//! Time and memory of a preparation: `prepare <file.csv> <step> [threads] [missing] [anomalies] [aggregate]
//! [across]`, or `prepare make <file.csv> <series> <days>` to write a table of daily rows.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::de::DeserializeOwned;
use tabcast_calendar::write_pandas;
use tabcast_preparation::{Request, prepare};
use tabcast_table::{Columns, FileFormat, Limits};

const DAY: i64 = 86_400_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["make", path, series, days] => make(path, series.parse()?, days.parse()?),
        [path, step, rest @ ..] => measure(path, step, rest),
        _ => {
            Err("usage: prepare <file.csv> <step> [threads] [missing] [anomalies] [aggregate] [across]"
                .into())
        }
    }
}

fn make(path: &str, series: i64, days: i64) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(b"item_id,timestamp,target\n")?;
    let mut date = Vec::new();
    for item in 0..series {
        for day in 0..days {
            date.clear();
            write_pandas((15_000 + day) * DAY, &mut date);
            write!(out, "item_{item:05},")?;
            out.write_all(&date[..10])?;
            writeln!(out, ",{}.{:02}", 100 + item % 50 + day % 7 * 3, noise(item, day) % 1_000 / 10)?;
        }
    }
    Ok(out.flush()?)
}

/// Digits without a pattern (the finaliser of `SplitMix64`).
fn noise(item: i64, day: i64) -> u64 {
    let mut bits = (item as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ day as u64;
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

fn measure(path: &str, step: &str, rest: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let or = |index: usize, default: &'static str| (*rest.get(index).unwrap_or(&default)).to_owned();
    let output = std::env::temp_dir().join(format!("prepared-{}.parquet", std::process::id()));
    let request = Request {
        input_paths: vec![path.into()],
        format: FileFormat::Csv,
        compression: None,
        sheet: None,
        columns: Columns::default(),
        hierarchy: None,
        freq: None,
        limits: Limits::default(),
        threads: or(0, "2").parse()?,
        filters: Vec::new(),
        // With a way for rows of one time all series become one.
        series_columns: rest.get(4).map(|_| Vec::new()),
        step: Some(step.to_owned()),
        aggregate: named(&or(3, "sum"))?,
        across: rest.get(4).map(|name| named(name)).transpose()?,
        missing: named(&or(1, "none"))?,
        anomalies: named(&or(2, "none"))?,
        output: output.clone(),
    };
    let cancel = AtomicBool::new(false);
    let start = Instant::now();
    let summary = prepare(&request.resolve(&cancel)?)?;
    let seconds = start.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(&output)?.len();
    std::fs::remove_file(&output)?;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find(|line| line.starts_with("VmHWM:")).ok_or("no VmHWM line")?;
    println!(
        "{} rows to {} in {seconds:.3} s, {bytes} bytes; {} combined, {} filled, {} anomalies; {peak}",
        summary.rows_read,
        summary.rows_written,
        summary.rows_combined,
        summary.steps_filled,
        summary.anomalies.found,
    );
    Ok(())
}

fn named<T: DeserializeOwned>(name: &str) -> serde_json::Result<T> {
    serde_json::from_value(name.into())
}
