//! Scores every model, and medians of models, on a file of series with known futures.
//!
//! Each line is `id;season;periods;values;future`: the season length (of the scaled error too), all plausible
//! periods separated by `:`, and comma-separated numbers. Prints sMAPE, MASE and their mean relative to a
//! reference method, given as two more arguments, together with the coverage of the central 80 % interval.
//!
//! `cargo run --release -p tabcast-models --example score -- FILE SMAPE MASE [model+model+... ...]`

use std::env;
use std::error::Error;
use std::fs;
use std::time::{Duration, Instant};

use tabcast_models::{Forecast, Series, registry};

struct Case {
    season: usize,
    periods: Vec<usize>,
    values: Vec<f64>,
    future: Vec<f64>,
}

fn parse(line: &str) -> Result<Case, Box<dyn Error>> {
    let fields: Vec<&str> = line.split(';').collect();
    let numbers = |text: &str| text.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>();
    let periods = fields[2].split(':').filter(|text| !text.is_empty());
    Ok(Case {
        season: fields[1].parse()?,
        periods: periods.map(str::parse).collect::<Result<_, _>>()?,
        values: numbers(fields[3])?,
        future: numbers(fields[4])?,
    })
}

/// Mean, lower and upper end of the 80 % interval of each step.
type Interval = Vec<[f64; 3]>;

fn interval(forecast: &Forecast) -> Interval {
    (0..forecast.horizon())
        .map(|step| [forecast.mean[step], forecast.quantile(step, 0.1), forecast.quantile(step, 0.9)])
        .collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

fn score(name: &str, cases: &[Case], forecasts: &[Option<Interval>], reference: (f64, f64), spent: Duration) {
    let (mut smape, mut mase, mut inside, mut steps, mut count) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (case, forecast) in cases.iter().zip(forecasts) {
        let Some(forecast) = forecast else { continue };
        let scale =
            case.values.iter().zip(&case.values[case.season..]).map(|(a, b)| (b - a).abs()).sum::<f64>()
                / (case.values.len() - case.season) as f64;
        let horizon = case.future.len() as f64;
        for (actual, [mean, low, high]) in case.future.iter().zip(forecast) {
            smape += 200.0 * (actual - mean).abs() / (actual.abs() + mean.abs()) / horizon;
            mase += (actual - mean).abs() / scale / horizon;
            inside += f64::from(u8::from((low..=high).contains(&actual)));
            steps += 1.0;
        }
        count += 1.0;
    }
    let (smape, mase) = (smape / count, mase / count);
    let relative = f64::midpoint(smape / reference.0, mase / reference.1);
    println!(
        "{name:<60} {smape:7.3} {mase:7.3} {relative:7.3}  80%: {:.3}  unfit {:4}  {:8.1} us/series",
        inside / steps,
        cases.len() as f64 - count,
        spent.as_secs_f64() * 1e6 / cases.len() as f64
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let cases = fs::read_to_string(&arguments[1])?.lines().map(parse).collect::<Result<Vec<Case>, _>>()?;
    let reference = (arguments[2].parse()?, arguments[3].parse()?);
    let mut all: Vec<(&str, Vec<Option<Interval>>, Duration)> = Vec::new();
    for model in registry() {
        let start = Instant::now();
        let forecasts = cases
            .iter()
            .map(|case| {
                let series = Series {
                    season_length: case.season,
                    periods: &case.periods,
                    ..Series::without_season(&case.values)
                };
                model.fit(&series).ok().map(|fit| interval(&fit.forecast(case.future.len())))
            })
            .collect();
        all.push((model.name(), forecasts, start.elapsed()));
        let (name, forecasts, spent) = &all[all.len() - 1];
        score(name, &cases, forecasts, reference, *spent);
    }
    for set in &arguments[4..] {
        let members: Vec<_> =
            all.iter().filter(|(name, ..)| set.split('+').any(|part| part == *name)).collect();
        let combined: Vec<Option<Interval>> = (0..cases.len())
            .map(|index| {
                let present: Vec<&Interval> =
                    members.iter().filter_map(|(_, all, _)| all[index].as_ref()).collect();
                let middle =
                    |step: usize, part: usize| median(present.iter().map(|f| f[step][part]).collect());
                let steps = 0..cases[index].future.len();
                (!present.is_empty())
                    .then(|| steps.map(|step| [0, 1, 2].map(|part| middle(step, part))).collect())
            })
            .collect();
        score(set, &cases, &combined, reference, members.iter().map(|(.., spent)| *spent).sum());
    }
    Ok(())
}
