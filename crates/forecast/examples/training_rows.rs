//! Writes what the shipped weights are learned from, a JSON line a window, to standard output.
//!
//! `cargo run --release -p tabcast-forecast --example training_rows -- FILE.{csv,parquet} HORIZON PRESET WINDOWS >
//! rows.jsonl`

use std::env;
use std::error::Error;
use std::io::{self, BufWriter, Write};

use tabcast_forecast::{Config, Options, write_training_rows};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, horizon, preset, windows] = arguments.as_slice() else {
        return Err("usage: FILE HORIZON PRESET WINDOWS".into());
    };
    let options = Options {
        preset: serde_json::from_value(preset.as_str().into())?,
        ..Options::new(path, horizon.parse()?)
    };
    let config = Config::resolve(options)?;
    let mut out = BufWriter::new(io::stdout().lock());
    write_training_rows(&config, windows.parse()?, &mut out)?;
    Ok(out.flush()?)
}
