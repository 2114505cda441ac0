//! Reads a file, builds the tree over its series and adds up their histories; prints the seconds that it took as JSON.
//!
//! COLUMNS is a comma list of hierarchy columns, empty where the item ids are split at `/`.
//!
//! `cargo run --release -p tabcast-forecast --example build_hierarchy -- FILE.{csv,parquet} COLUMNS THREADS`

use std::env;
use std::error::Error;
use std::time::Instant;

use tabcast_forecast::{Config, Control, Options, ReconciliationOptions, check};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, columns, threads] = arguments.as_slice() else {
        return Err("usage: FILE COLUMNS THREADS".into());
    };
    let hierarchy_columns =
        columns.split(',').filter(|column| !column.is_empty()).map(str::to_owned).collect();
    let config = Config::resolve(Options {
        threads: threads.parse()?,
        reconciliation: Some(ReconciliationOptions { hierarchy_columns, ..ReconciliationOptions::default() }),
        ..Options::new(path, 1)
    })?;
    let began = Instant::now();
    let (profile, _) = check(&config, &Control::new())?;
    let seconds = began.elapsed().as_secs_f64();
    println!(r#"{{"rows": {}, "series": {}, "seconds": {seconds:.6}}}"#, profile.rows, profile.series);
    Ok(())
}
