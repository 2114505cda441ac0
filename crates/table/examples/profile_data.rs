//! Profiles a file and prints how long that took: `profile_data <path> [threads] [csv|json|jsonl|parquet|xls|xlsx]`.
//! `profile_data make <path> <rows>` writes a CSV file to profile: sales of 100 products in 20 stores, day by day.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tabcast_calendar::{parse_timestamp, write_iso8601};
use tabcast_table::{FileFormat, GivenRoles, Limits, ProfileOptions, profile_data};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["make", path, rows] => make(path, rows.parse()?),
        [path] => profile(path, 2, "csv"),
        [path, threads] => profile(path, threads.parse()?, "csv"),
        [path, threads, format] => profile(path, threads.parse()?, format),
        _ => Err("usage: profile_data <path> [threads] [format], or profile_data make <path> <rows>".into()),
    }
}

fn profile(path: &str, threads: usize, format: &str) -> Result<(), Box<dyn std::error::Error>> {
    let cancel = AtomicBool::new(false);
    let options = ProfileOptions {
        paths: vec![path.into()],
        format: FileFormat::from_name(format).ok_or_else(|| format!("no format is called {format}"))?,
        compression: None,
        roles: GivenRoles::default(),
        limits: Limits::default(),
        threads,
        cancel: &cancel,
    };
    let start = Instant::now();
    let profile = profile_data(&options)?;
    let seconds = start.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find(|line| line.starts_with("VmHWM:")).ok_or("no VmHWM line")?;
    for column in &profile.columns {
        let values = column.values.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
        let marks = [(column.is_static, "static"), (column.is_known_ahead, "known ahead")];
        let marks =
            marks.iter().filter(|(is_marked, _)| *is_marked).map(|(_, mark)| *mark).collect::<Vec<_>>();
        println!(
            "{}: {}, {} distinct, {} nulls, {:?}; {values}",
            column.name,
            column.kind.name(),
            column.distinct,
            column.nulls,
            marks
        );
    }
    println!("{:?}", profile.roles);
    println!("{:#?} {:?}", profile.series, profile.unreadable);
    println!("profiled in {seconds:.3} s by {threads} threads; {peak}");
    Ok(())
}

fn make(path: &str, rows: usize) -> Result<(), Box<dyn std::error::Error>> {
    const SERIES: usize = 2_000;
    const DAY: i64 = 86_400_000_000;
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "store,product,date,sales,price,promo")?;
    let first = parse_timestamp(b"2021-01-01").ok_or("no date")?.micros;
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1_u64 << 24) as f64
    };
    let mut date = Vec::new();
    for row in 0..rows {
        let (series, day) = (row / (rows / SERIES).max(1), row % (rows / SERIES).max(1));
        let (store, product) = (series / 100, series % 100);
        date.clear();
        write_iso8601(first + day as i64 * DAY, &mut date);
        let promo = u8::from(random() > 0.9);
        let price = (5.0 + (store * 7 + product * 13 % 40) as f64 / 4.0) * if promo == 1 { 0.9 } else { 1.0 };
        let week = [0.0, 1.0, 2.0, 3.0, 6.0, 9.0, 4.0][day % 7];
        let sales = 20.0 + (product % 10) as f64 + week + f64::from(promo) * 8.0 + random() * 6.0;
        let date = std::str::from_utf8(&date)?;
        let date = date.get(..10).ok_or("no date")?;
        writeln!(file, "s{store:02},p{product:03},{date},{sales:.2},{price:.2},{promo}")?;
    }
    file.flush()?;
    Ok(())
}
