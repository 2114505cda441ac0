//! Writes what the shipped weights are learned from, a JSON line a window, to standard output.
//!
//! `cargo run --release -p tabcast-forecast --example training_rows -- FILE.{csv,parquet} HORIZON PRESET WINDOWS > rows.jsonl`

use std::env;
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use tabcast_forecast::{Config, Options, write_training_rows};
use tabcast_table::{Columns, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, horizon, preset, windows] = arguments.as_slice() else {
        return Err("usage: FILE HORIZON PRESET WINDOWS".into());
    };
    let input_path = PathBuf::from(path);
    let format = input_path.extension().and_then(|extension| extension.to_str()).unwrap_or("csv").to_owned();
    let config = Config::resolve(Options {
        input_path,
        format,
        columns: Columns::default(),
        prediction_length: horizon.parse()?,
        preset: preset.clone(),
        freq: None,
        quantile_levels: Vec::new(),
        timestamp_format: "pandas".to_owned(),
        quantile_column_style: "raw".to_owned(),
        limits: Limits::default(),
        max_forecast_points: 50_000_000,
        max_output_bytes: 1 << 34,
        threads: 1,
        budget: None,
    })?;
    let mut out = BufWriter::new(io::stdout().lock());
    write_training_rows(&config, windows.parse()?, &mut out)?;
    Ok(out.flush()?)
}
