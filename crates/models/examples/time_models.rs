//! Times one model on a file of series: fit and forecast, one thread, without reading the file.
//!
//! Each line is `season;periods;values`: the season length, all plausible periods separated by `:`, and
//! comma-separated numbers. After a round that is not counted, rounds over the first COUNT series are repeated for
//! at least a second. Prints the CPU seconds of a round and the number of series that the model does not fit.
//!
//! `cargo run --release -p tabcast-models --example time_models -- FILE MODEL HORIZON COUNT`

use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;

use tabcast_models::{Model, Series, find};

struct Case {
    season: usize,
    periods: Vec<usize>,
    values: Vec<f64>,
}

fn parse(line: &str) -> Result<Case, Box<dyn Error>> {
    let [season, periods, values] = line.split(';').collect::<Vec<_>>()[..] else {
        return Err("a line is season;periods;values".into());
    };
    Ok(Case {
        season: season.parse()?,
        periods: periods.split(':').map(str::parse).collect::<Result<_, _>>()?,
        values: values.split(',').map(str::parse).collect::<Result<_, _>>()?,
    })
}

/// The time that this thread has been on a processor, which other processes do not lengthen. The kernel counts in
/// nanoseconds and brings the count up to date every few milliseconds.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: u64 = text.split_whitespace().next().ok_or("an empty schedstat")?.parse()?;
    Ok(nanoseconds as f64 / 1e9)
}

/// Fits and forecasts each series; the number that the model does not fit.
fn round(model: &dyn Model, cases: &[Case], horizon: usize) -> usize {
    let fits = cases.iter().filter(|case| {
        let series = Series {
            season_length: case.season,
            periods: &case.periods,
            ..Series::without_season(&case.values)
        };
        model.fit(&series).map(|fit| black_box(fit.forecast(horizon))).is_ok()
    });
    cases.len() - fits.count()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, name, horizon, count] = &arguments[..] else {
        return Err("usage: FILE MODEL HORIZON COUNT".into());
    };
    let (horizon, count) = (horizon.parse()?, count.parse()?);
    let model = find(name).ok_or("no such model")?;
    let cases = fs::read_to_string(path)?.lines().take(count).map(parse).collect::<Result<Vec<Case>, _>>()?;
    let unfit = round(model, &cases, horizon);
    let began = cpu_seconds()?;
    let (mut rounds, mut spent) = (0, 0.0);
    while spent < 1.0 {
        round(model, &cases, horizon);
        rounds += 1;
        spent = cpu_seconds()? - began;
    }
    println!(
        r#"{{"series": {}, "unfit": {unfit}, "rounds": {rounds}, "cpu_seconds": {:.9}}}"#,
        cases.len(),
        spent / f64::from(rounds)
    );
    Ok(())
}
