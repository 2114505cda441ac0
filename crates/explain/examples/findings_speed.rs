//! Seconds that the findings of a panel take: `cargo run --release --example findings_speed [series] [steps] [season]`.

use std::time::Instant;

use tabcast_explain::findings::{Backtest, Counts, Forecast, Panel, Series, find};
use tabcast_statistics::random::normal;

fn main() {
    let arguments: Vec<usize> =
        std::env::args().skip(1).map(|text| text.parse().expect("a number")).collect();
    let at = |index: usize, default: usize| arguments.get(index).copied().unwrap_or(default);
    let (count, steps, season) = (at(0, 10_000), at(1, 200), at(2, 12));
    let history = |seed: usize| -> Vec<f64> {
        let value = |t: usize| {
            let angle = (t % season) as f64 / season as f64 * std::f64::consts::TAU;
            100.0 + 0.1 * t as f64 + 10.0 * angle.sin() + 3.0 * normal(seed as u64, t as u64)
        };
        (0..steps).map(value).collect()
    };
    let histories: Vec<Vec<f64>> = (0..count).map(history).collect();
    let ids: Vec<String> = (0..count).map(|index| format!("item {index}")).collect();
    let errors: Vec<f64> = (0..3 * season).map(|t| normal(1, t as u64)).collect();
    let series = |index: usize| Series {
        start: 0,
        history: &histories[index],
        regressors: &[],
        season_length: season,
        newest: steps - 1,
        counts: Counts::default(),
        forecast: Forecast {
            mean: &histories[index][..season],
            lower: &histories[index][..season],
            median: &histories[index][..season],
            upper: &histories[index][..season],
        },
        backtest: Some(Backtest { errors: &errors, naive_errors: &errors, naive_season: 7, coverage: 0.8 }),
    };

    let began = Instant::now();
    for index in 0..count {
        std::hint::black_box(find(&series(index)));
    }
    let each = began.elapsed().as_secs_f64() / count as f64;
    println!("{count} series of {steps} steps, season {season}: {:.1} us each, one thread", each * 1e6);

    let began = Instant::now();
    let mut panel = Panel::default();
    let all: Vec<(&str, Series<'_>)> =
        ids.iter().enumerate().map(|(index, id)| (id.as_str(), series(index))).collect();
    for chunk in all.chunks(1024) {
        panel.add(chunk);
    }
    let findings = panel.finish();
    println!(
        "panel: {:.2} s, {} series with a trend",
        began.elapsed().as_secs_f64(),
        findings.rules.trend_up.series
    );
}
