//! Reads all columns of a file and prints how long that took: `ingest_frame <path> [threads]
//! [csv|json|jsonl|parquet|xls|xlsx]`.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tabcast_table::{FileFormat, FrameColumn, FrameOptions, Limits, frame_hash, read_frame};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: ingest_frame <path> [threads] [format]")?;
    let threads = arguments.next().map_or(Ok(2), |text| text.parse())?;
    let format = match arguments.next().as_deref().unwrap_or("csv") {
        "csv" => FileFormat::Csv,
        "json" => FileFormat::Json,
        "jsonl" => FileFormat::Jsonl,
        "parquet" => FileFormat::Parquet,
        "xls" => FileFormat::Xls,
        "xlsx" => FileFormat::Xlsx,
        other => return Err(format!("no format is called {other}").into()),
    };
    let cancel = AtomicBool::new(false);
    let options = FrameOptions {
        paths: vec![path.into()],
        format,
        compression: None,
        sheet: None,
        limits: Limits::default(),
        threads,
        cancel: &cancel,
    };
    let start = Instant::now();
    let frame = read_frame(&options)?;
    let read = start.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find(|line| line.starts_with("VmHWM:")).ok_or("no VmHWM line")?;
    let start = Instant::now();
    let hash = frame_hash(&frame);
    let hashed = start.elapsed().as_secs_f64();
    let texts = frame.columns.iter().filter(|column| matches!(column, FrameColumn::Texts(_))).count();
    println!(
        "{} rows, {} columns, {texts} of them texts; read in {read:.3} s by {threads} threads, hashed in {hashed:.3} \
            s; {peak}; {hash}",
        frame.rows,
        frame.names.len(),
    );
    Ok(())
}
