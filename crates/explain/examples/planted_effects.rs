//! Plants a known effect in forecasts of generated panels, explains the forecasts, and prints how much of the effect
//! comes back.
//!
//! ```text
//! planted_effects [PANELS]
//! planted_effects speed [THREADS]
//! ```
//!
//! A panel has 20 series with level, season and noise, six forecast origins and 14 steps. The forecast is the smoothed
//! level times a known profile of the week, plus a known effect of one covariate: a promotion that is on or off, or a
//! price that moves. The surrogate sees what could be known at the origin (last value, the same day of last week,
//! means, spread, slope, step, day of the week), the covariate and a dummy that is noise. In "proportional" panels
//! the effect grows with the level of its series, in "constant" ones it is the same for all.

use std::time::Instant;

use tabcast_explain::importance::{Explanation, FeatureGroups, Options, Predictions, explain_predictions};
use tabcast_explain::{Feature, Features, Values};
use tabcast_statistics::random;

const SERIES: usize = 20;
const ORIGINS: usize = 6;
const STEPS: usize = 14;
const HISTORY: usize = 70;
const WEEK: [f64; 7] = [-0.12, -0.06, 0.0, 0.03, 0.06, 0.15, -0.06];
const SEEDS: u64 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "speed") {
        return speed(arguments.get(1).map_or(Ok(2), |text| text.parse())?);
    }
    let panels = arguments.first().map_or(Ok(20), |text| text.parse())?;
    for (is_price, is_proportional) in [(false, true), (false, false), (true, true), (true, false)] {
        plant(panels, is_price, is_proportional)?;
    }
    Ok(())
}

fn plant(panels: u64, is_price: bool, is_proportional: bool) -> Result<(), Box<dyn std::error::Error>> {
    let (mut first, mut within, mut worst) = (0, 0, 0.0_f64);
    let (mut largest_dummy, mut least_r2, mut least_tau, mut taus) = (0.0_f64, 1.0_f64, 1.0_f64, 0.0);
    let mut additivity = 0.0_f64;
    for seed in 0..panels {
        let panel = Panel::generate(seed, is_price, is_proportional)?;
        let explained: Result<Vec<Explanation>, _> = (0..SEEDS).map(|seed| panel.explain(seed)).collect();
        let explained = explained?;
        let one = &explained[0];
        let top = &one.features.importance[0].feature;
        first += u64::from(top == "covariate");
        let error = panel.recovered(one).ok_or("the covariate was not explained")? / panel.effect - 1.0;
        within += u64::from(error.abs() <= 0.15);
        worst = worst.max(error.abs());
        let dummy = one.features.importance.iter().find(|feature| feature.feature == "dummy");
        largest_dummy = largest_dummy.max(dummy.ok_or("the dummy is gone")?.share);
        least_r2 = least_r2.min(one.fidelity.as_ref().ok_or("no fidelity")?.r2);
        additivity = additivity.max(one.max_additivity_error);
        let tau = mean_tau(&explained);
        least_tau = least_tau.min(tau);
        taus += tau / panels as f64;
    }
    println!(
        "{:<9} {:<12}: rank 1 on {first} of {panels}, mean effect within 15 % on {within} (worst {:.1} %), \
         dummy at most {:.2} %, Kendall tau over {SEEDS} seeds mean {taus:.3}, \
         least {least_tau:.3}, fidelity R2 at least {least_r2:.3}, additivity error {additivity:.1e}",
        if is_price { "price" } else { "promotion" },
        if is_proportional { "proportional" } else { "constant" },
        100.0 * worst,
        100.0 * largest_dummy,
    );
    Ok(())
}

struct Panel {
    features: Features,
    predictions: Vec<f64>,
    scale: Vec<f64>,
    series: Vec<u32>,
    origins: Vec<u32>,
    covariate: Vec<f64>,
    /// Mean effect of one unit of the covariate, in units of the target.
    effect: f64,
}

impl Panel {
    #[expect(clippy::too_many_lines, reason = "a panel is drawn from its seed in one pass")]
    fn generate(seed: u64, is_price: bool, is_proportional: bool) -> Result<Self, &'static str> {
        let seed = random::bits(0xb1a7, seed);
        let strength = (if is_price { -0.2 } else { 0.5 }) * (1.0 + 0.4 * random::unit(seed, 0));
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); NAMES.len()];
        let (mut predictions, mut scale) = (Vec::new(), Vec::new());
        let (mut series, mut origins, mut effects) = (Vec::new(), Vec::new(), 0.0);
        for id in 0..SERIES {
            let own = random::bits(seed, 1 + id as u64);
            let level = 100.0 * (0.25 * random::normal(own, 0)).exp();
            let effect = strength * if is_proportional { level } else { 100.0 };
            let length = HISTORY + ORIGINS * STEPS;
            let drift = 0.001 * random::normal(own, 1);
            let at = |t: usize| level * (1.0 + drift * t as f64) * (1.0 + WEEK[t % 7]);
            let covariate = |t: usize| {
                let draw = random::bits(own, 2);
                if is_price {
                    random::normal(draw, t as u64)
                } else {
                    f64::from(random::unit(draw, t as u64) < 0.3)
                }
            };
            let noise = |t: usize| 0.05 * level * random::normal(random::bits(own, 3), t as u64);
            let values: Vec<f64> = (0..length).map(|t| at(t) + noise(t)).collect();
            let size = values.iter().sum::<f64>() / length as f64;
            for origin in 0..ORIGINS {
                let now = HISTORY + origin * STEPS;
                let past = &values[..now];
                let smooth = (0..now).fold(past[0] / (1.0 + WEEK[0]), |level, t| {
                    level + 0.1 * (past[t] / (1.0 + WEEK[t % 7]) - level)
                });
                let window = |days: usize| past[now - days..].iter().sum::<f64>() / days as f64;
                let spread =
                    (past[now - 28..].iter().map(|v| (v - window(28)).powi(2)).sum::<f64>() / 28.0).sqrt();
                for step in 0..STEPS {
                    let t = now + step;
                    let forecast = smooth * (1.0 + WEEK[t % 7]) + effect * covariate(t);
                    let row = [
                        past[now - 1] / size,
                        past[now - 7 + step % 7] / size,
                        window(7) / size,
                        window(28) / size,
                        spread / size,
                        (window(7) - window(28)) / size,
                        (step + 1) as f64,
                        (t % 7) as f64,
                        covariate(t),
                        random::unit(random::bits(own, 4), t as u64),
                    ];
                    columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
                    predictions.push(forecast / size);
                    scale.push(size);
                    series.push(id as u32);
                    origins.push(origin as u32);
                    effects += effect;
                }
            }
        }
        let rows = predictions.len();
        let covariate = columns[8].clone();
        let named = NAMES
            .iter()
            .zip(columns)
            .map(|(name, values)| Feature { name: (*name).to_owned(), values: Values::Numbers(values) });
        let features = Features::new(rows, named.collect()).ok_or("columns of different lengths")?;
        Ok(Self { features, predictions, scale, series, origins, covariate, effect: effects / rows as f64 })
    }

    fn explain(&self, seed: u64) -> Result<Explanation, tabcast_explain::importance::ImportanceError> {
        let input = Predictions {
            scale: Some(&self.scale),
            series: Some(&self.series),
            fold_groups: Some(&self.origins),
            ..Predictions::new(&self.features, &self.predictions)
        };
        explain_predictions(&input, &Options { seed, ..Options::default() }, &|| false)
    }

    /// The slope of the covariate's Shapley values on its values: for a promotion, the difference between on and off.
    fn recovered(&self, explained: &Explanation) -> Option<f64> {
        let shapley = explained.features.shapley.as_ref()?;
        let at = shapley.features.iter().position(|name| name == "covariate")?;
        let values: Vec<f64> = shapley.rows.iter().map(|&row| self.covariate[row]).collect();
        let count = values.len() as f64;
        let (mean_x, mean_y) =
            (values.iter().sum::<f64>() / count, shapley.values[at].iter().sum::<f64>() / count);
        let pairs = || values.iter().zip(&shapley.values[at]);
        let both: f64 = pairs().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        Some(both / pairs().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>())
    }
}

const NAMES: [&str; 10] = [
    "last value",
    "same day of last week",
    "mean of 7",
    "mean of 28",
    "spread of 28",
    "slope",
    "step",
    "day of the week",
    "covariate",
    "dummy",
];

/// Mean over all pairs of runs of Kendall's tau between their orders of the features.
fn mean_tau(runs: &[Explanation]) -> f64 {
    let ranks: Vec<Vec<usize>> = runs
        .iter()
        .map(|run| {
            let rank = |name: &&str| {
                run.features.importance.iter().find(|f| f.feature == **name).map_or(usize::MAX, |f| f.rank)
            };
            NAMES.iter().map(rank).collect()
        })
        .collect();
    let pairs = |count: usize| (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)));
    let tau = |a: &[usize], b: &[usize]| {
        let agree = |(i, j): (usize, usize)| if (a[i] < a[j]) == (b[i] < b[j]) { 1.0 } else { -1.0 };
        pairs(NAMES.len()).map(agree).sum::<f64>() / pairs(NAMES.len()).count() as f64
    };
    pairs(runs.len()).map(|(a, b)| tau(&ranks[a], &ranks[b])).sum::<f64>() / pairs(runs.len()).count() as f64
}

/// Times 5,000 rows of 25 features, 512 of them explained, with five groups.
fn speed(threads: usize) -> Result<(), Box<dyn std::error::Error>> {
    let rows = 5000;
    let column = |at: usize| Feature {
        name: format!("x{at}"),
        values: Values::Numbers((0..rows as u64).map(|row| random::normal(at as u64, row)).collect()),
    };
    let features =
        Features::new(rows, (0..25).map(column).collect()).ok_or("columns of different lengths")?;
    let cell = |at: usize, row: usize| random::normal(at as u64, row as u64);
    let predictions: Vec<f64> = (0..rows)
        .map(|row| {
            let linear: f64 = (0..25).map(|at| cell(at, row) * (at as f64 - 12.0) / 12.0).sum();
            linear + (2.0 * cell(0, row)).sin() + cell(1, row) * cell(2, row).abs()
        })
        .collect();
    let groups = FeatureGroups {
        names: (0..5).map(|group| format!("group {group}")).collect(),
        of_column: (0..25).map(|at| at % 5).collect(),
    };
    let input = Predictions { feature_groups: Some(&groups), ..Predictions::new(&features, &predictions) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    for _ in 0..5 {
        let start = Instant::now();
        let cpu = cpu_seconds()?;
        let explained = pool.install(|| explain_predictions(&input, &Options::default(), &|| false))?;
        println!(
            "{rows} rows x 25 features, {} explained, {threads} threads: {:.3} s, {:.3} s of CPU, fidelity R2 {:.4}",
            explained.explained_rows,
            start.elapsed().as_secs_f64(),
            cpu_seconds()? - cpu,
            explained.fidelity.map_or(f64::NAN, |fidelity| fidelity.r2),
        );
    }
    Ok(())
}

/// CPU seconds of all threads of this process so far.
fn cpu_seconds() -> Result<f64, Box<dyn std::error::Error>> {
    let mut nanoseconds = 0;
    for task in std::fs::read_dir("/proc/self/task")? {
        let text = std::fs::read_to_string(task?.path().join("schedstat"))?;
        nanoseconds += text.split_whitespace().next().ok_or("an empty schedstat")?.parse::<u64>()?;
    }
    Ok(nanoseconds as f64 / 1e9)
}
