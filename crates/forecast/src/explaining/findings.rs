//! Writes `findings.json`, the basis of a job's written explanation.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use rayon::prelude::*;
use serde::Serialize;
use tabcast_explain::findings::{Backtest, Counts, Findings, Forecast, Panel, Series};

use super::Subject;
use super::grid::Grid;
use crate::Failure;
use crate::combination::held_back::HeldBackForecast;
use crate::history::History;
use crate::run::forecaster::history_of;
use crate::run::plan::Plan;

/// Number of series in memory at a time.
const CHUNK: usize = 512;
/// With fewer windows in a class, the coverage of a single series says nothing, because the intervals were fitted to
/// its own windows.
const ENOUGH_WINDOWS: usize = 20;

/// The content of the file.
#[derive(Serialize)]
struct Document<'a> {
    findings: &'a Findings,
    target: &'a str,
    freq: &'a str,
    /// ISO 8601 text of each step that the findings name.
    dates: BTreeMap<usize, String>,
    /// Number of series of the dataset; the findings cover the largest ones.
    total_series: usize,
}

/// A series with everything that the findings examine.
struct Material {
    start: usize,
    history: Vec<f64>,
    regressors: Vec<Vec<f64>>,
    counts: Counts,
    lower: Vec<f64>,
    median: Vec<f64>,
    upper: Vec<f64>,
    tested: Option<Tested>,
}

struct Tested {
    errors: Vec<f64>,
    naive_errors: Vec<f64>,
    coverage: f64,
}

/// Finds what stands out in the series whose forecasts were kept, and writes it. Runs on the current thread pool.
///
/// # Errors
///
/// A file that cannot be written; [`Failure::Cancelled`].
pub(crate) fn write_findings(path: &Path, subject: &Subject<'_>, freq: &str) -> Result<(), Failure> {
    let Subject { config, dataset, forecaster, kept, control } = *subject;
    let plan = forecaster.plan();
    let ends: Vec<(i64, i64, usize)> = kept
        .judged
        .par_iter()
        .map(|&index| {
            let history = history_of(index, dataset, plan)?;
            let steps = history.values.len();
            Ok((history.stamp(0, plan.frequency), history.stamp(steps - 1, plan.frequency), steps))
        })
        .collect::<Result<_, Failure>>()?;
    let first = ends.iter().map(|end| end.0).min().unwrap_or(0);
    let last = ends.iter().map(|end| end.1).max().unwrap_or(0);
    let season = season_of(plan, ends.iter().map(|end| end.2).collect());
    let grid = Grid::from(first, plan.frequency);
    let newest = grid.place(last);
    let mut panel = Panel::default();
    for chunk in kept.judged.chunks(CHUNK) {
        if control.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let materials: Vec<Material> =
            chunk.par_iter().map(|&index| material(index, subject, &grid)).collect::<Result<_, _>>()?;
        let series: Vec<(&str, Series<'_>)> = chunk
            .iter()
            .zip(&materials)
            .map(|(&index, material)| {
                (dataset.id(index), material.series(&kept.forecast(index).mean, season, plan.season, newest))
            })
            .collect();
        panel.add(&series);
    }
    let findings = panel.finish();
    let document = Document {
        dates: findings.steps().into_iter().map(|step| (step, grid.text(step))).collect(),
        findings: &findings,
        target: &config.columns.target,
        freq,
        total_series: dataset.panel.len() + dataset.elsewhere,
    };
    let bytes = serde_json::to_vec(&document)
        .map_err(|error| Failure::io("writing the findings")(io::Error::other(error)))?;
    fs::write(path, bytes).map_err(Failure::io("writing the findings"))
}

/// The season that findings refer to: the main one. Where there is none, as for weekly data, the first other season of
/// the frequency that half of the histories contain twice.
fn season_of(plan: &Plan, mut steps: Vec<usize>) -> usize {
    if plan.season > 1 || steps.is_empty() {
        return plan.season;
    }
    let middle = steps.len() / 2;
    let (_, usual, _) = steps.select_nth_unstable(middle);
    let fits = |period: &&usize| **period > 1 && *usual >= 2 * **period;
    plan.periods.iter().find(fits).copied().unwrap_or(plan.season)
}

fn material(index: usize, subject: &Subject<'_>, grid: &Grid) -> Result<Material, Failure> {
    let Subject { config, dataset, forecaster, kept, .. } = *subject;
    let plan = forecaster.plan();
    let history = history_of(index, dataset, plan)?;
    let mut values = history.values.clone();
    for (value, observed) in values.iter_mut().zip(&history.observed) {
        if !observed {
            *value = f64::NAN;
        }
    }
    let end = grid.place(history.stamp(values.len() - 1, plan.frequency));
    let forecast = kept.forecast(index);
    let levels = &config.levels;
    let at = |wanted: f64| -> Vec<f64> {
        let place = levels.iter().position(|level| (level - wanted).abs() < 1e-9);
        place.map_or_else(Vec::new, |place| {
            forecast.quantiles.iter().skip(place).step_by(levels.len()).copied().collect()
        })
    };
    let tested = forecaster.backtest_of(index).map(|backtest| {
        let combinations = forecaster.combinations();
        let judged = backtest.held_back_forecasts(&history, plan, combinations);
        let leaderboard = combinations.of(backtest.class).leaderboard.as_ref();
        let windows = leaderboard.map_or(0, |leaderboard| leaderboard.windows);
        let of_class = leaderboard.and_then(|leaderboard| leaderboard.combined()?.coverage_80);
        let coverage = if windows < ENOUGH_WINDOWS { of_class.unwrap_or(f64::NAN) } else { f64::NAN };
        Tested::of(&judged, &history, coverage)
    });
    Ok(Material {
        start: (end + 1).saturating_sub(values.len()),
        counts: Counts { missing: history.filled, duplicates: history.merged },
        lower: at(0.1),
        median: at(0.5),
        upper: at(0.9),
        tested: tested.filter(|tested| !tested.errors.is_empty()),
        history: values,
        regressors: history.regressors,
    })
}

impl Material {
    fn series<'a>(
        &'a self,
        mean: &'a [f64],
        season_length: usize,
        naive_season: usize,
        newest: usize,
    ) -> Series<'a> {
        Series {
            start: self.start,
            history: &self.history,
            regressors: &self.regressors,
            season_length,
            newest,
            counts: self.counts,
            forecast: Forecast { mean, lower: &self.lower, median: &self.median, upper: &self.upper },
            backtest: self.tested.as_ref().map(|tested| Backtest {
                errors: &tested.errors,
                naive_errors: &tested.naive_errors,
                naive_season,
                coverage: tested.coverage,
            }),
        }
    }
}

impl Tested {
    /// Windows in chronological order. `coverage` replaces that of the series unless it is NaN.
    fn of(judged: &[HeldBackForecast], history: &History, coverage: f64) -> Self {
        let mut tested = Self { errors: Vec::new(), naive_errors: Vec::new(), coverage };
        let (mut inside, mut steps) = (0_usize, 0_usize);
        for window in judged.iter().rev() {
            let Some(naive) = &window.naive else { continue };
            for (step, place) in window.held_back.clone().enumerate() {
                let actual = history.values[place];
                tested.errors.push(window.mean[step] - actual);
                tested.naive_errors.push(naive[step] - actual);
                let (low, high) = window.band[step];
                inside += usize::from(low <= actual && actual <= high);
                steps += 1;
            }
        }
        if tested.coverage.is_nan() && steps > 0 {
            tested.coverage = inside as f64 / steps as f64;
        }
        tested
    }
}
