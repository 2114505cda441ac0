use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::baseline::baseline;
use super::heads::{Heads, RECURSIVE};
use super::judge::{Judged, Verdict, judge, metrics, windows};
use super::model::{TunedModel, hash};
use super::notes::notes;
use super::{TuneConfig, TuneLoss, TuneMetrics, TuneSummary};
use crate::covariates::engineered::Recipe;
use crate::dataset::{Dataset, Identity, Purpose};
use crate::history::History;
use crate::learners::global::{self, Aim, Effort, Task};
use crate::run::forecaster::history_of;
use crate::run::plan::Plan;
use crate::run::stages;
use crate::{Config, Control, Failure, Preset, Timings};

/// Maximum number of training series.
const MOST_TRAINING_SERIES: usize = 5_000;
/// Maximum number of series on which members are judged.
const JUDGED: usize = 400;
/// Fractions of the budget after which the judged heads, the preset's baseline and the final heads must be done.
const BUDGET: [f64; 3] = [0.3, 0.5, 0.9];
/// With less time than this, training is reduced.
const SHORT_BUDGET: Duration = Duration::from_secs(240);

/// Trains one model for all series of a dataset, judges it on held-back horizons, and writes it to a file.
///
/// Heads are trained twice: without the windows, to be judged, weighted and calibrated on them, and then on everything,
/// for the file. The same options give the same bytes for any number of threads, unless the time budget runs short.
///
/// # Errors
///
/// See [`Failure`]; no usable model file exists then.
pub fn fine_tune(config: &TuneConfig, control: &Control) -> Result<TuneSummary, Failure> {
    let began = Instant::now();
    let mut timings = Timings::default();
    let forecast = &config.forecast;
    let mut dataset =
        Dataset::load_for(forecast, &Purpose::Training, Identity::Needed, None, control, &mut timings)?;
    let hashing = Instant::now();
    let dataset_hash = dataset.hash(control)?;
    timings.validate += hashing.elapsed().as_secs_f64();

    let pool = forecast.pool()?;
    let Trained { model, candidate, baseline, is_cut_short } =
        pool.install(|| train(config, &dataset, control, began, &mut timings))?;
    dataset.warnings.extend(notes(&model, &dataset.panel, is_cut_short));

    control.enter(stages::WRITE);
    let writing = Instant::now();
    let size_bytes = write(&model, &config.model_path)?;
    timings.write = writing.elapsed().as_secs_f64();
    Ok(TuneSummary {
        num_items: dataset.panel.len() as u64,
        rows: dataset.panel.rows as u64,
        freq: dataset.frequency.alias(),
        dataset_hash,
        timings,
        covariates: model.covariates(),
        features: model.features(),
        warnings: dataset.warnings,
        candidate,
        baseline,
        size_bytes,
    })
}

/// The result of a training.
struct Trained {
    model: TunedModel,
    candidate: TuneMetrics,
    baseline: TuneMetrics,
    /// Whether something was left out for lack of time.
    is_cut_short: bool,
}

fn train(
    config: &TuneConfig,
    dataset: &Dataset,
    control: &Control,
    began: Instant,
    timings: &mut Timings,
) -> Result<Trained, Failure> {
    let forecast = &config.forecast;
    let budget = forecast.budget;
    let cut_short = AtomicBool::new(false);
    let spent = |part: f64| {
        let is_spent =
            budget.is_some_and(|budget| began.elapsed().as_secs_f64() > part * budget.as_secs_f64());
        cut_short.fetch_or(is_spent, Ordering::Relaxed);
        is_spent || control.is_cancelled()
    };
    let fitting = Instant::now();
    let indices = evenly_spaced(dataset.panel.len(), MOST_TRAINING_SERIES);
    let plan = plan_for(forecast, dataset, indices.len(), control);
    let training_series = histories(&indices, dataset, &past(&plan), control)?;
    let starts: Vec<usize> =
        training_series.iter().map(|history| start_of_windows(history, &plan, config.windows)).collect();
    let task = task_of(forecast.recipe.clone(), &starts, &plan);
    let effort = effort_of(config.loss, budget);
    control.enter_units(stages::BACKTEST, 2 * training_series.len().min(JUDGED));
    let before: Vec<(&History, usize)> = training_series.iter().zip(starts.iter().copied()).collect();
    let judged_heads = Heads::learn(&before, &task, effort, &|| spent(BUDGET[0]));
    let chosen = evenly_spaced(training_series.len(), JUDGED);
    let judged: Vec<Judged> =
        judge(&training_series, &chosen, config.windows, &judged_heads, &plan, &|| control.units_done(1));
    drop(judged_heads);
    stop_if_cancelled(control)?;
    let verdict = Verdict::learn(&judged.iter().collect::<Vec<_>>(), config.loss);
    timings.fit = fitting.elapsed().as_secs_f64();

    let predicting = Instant::now();
    let left = budget.map(|budget| budget.mul_f64(BUDGET[1]).saturating_sub(began.elapsed()));
    let (baseline, compared) =
        baseline(&judged, &training_series, &indices, dataset, forecast, &control.aside(), left)?;
    let candidate = metrics(&compared, config.loss);
    timings.predict = predicting.elapsed().as_secs_f64();

    let fitting = Instant::now();
    control.enter_units(stages::FIT, 1);
    let whole: Vec<(&History, usize)> =
        training_series.iter().map(|history| (history, history.values.len())).collect();
    // Recursive forecasts are the most expensive, so that model is not trained again if it has no weight.
    let effort = Effort { is_recursive: effort.is_recursive && verdict.weights[RECURSIVE] > 0.0, ..effort };
    let heads = Heads::learn(&whole, &task, effort, &|| spent(BUDGET[2]));
    control.units_done(1);
    stop_if_cancelled(control)?;
    timings.fit += fitting.elapsed().as_secs_f64();
    let mut seen: Vec<u64> = dataset.panel.ids.iter().map(hash).collect();
    seen.sort_unstable();
    let model = TunedModel {
        frequency: dataset.frequency,
        horizon: plan.horizon,
        target: forecast.columns.target.clone(),
        loss: config.loss,
        columns: dataset.encoding.names(&dataset.panel),
        recipe: task.recipe,
        heads,
        weights: verdict.weights,
        calibration: verdict.calibration,
        seen,
        training_series: indices.iter().map(|&index| hash(dataset.panel.ids.get(index))).collect(),
    };
    Ok(Trained { model, candidate, baseline, is_cut_short: cut_short.into_inner() })
}

fn stop_if_cancelled(control: &Control) -> Result<(), Failure> {
    if control.is_cancelled() { Err(Failure::Cancelled) } else { Ok(()) }
}

/// A plan in which histories end with their last value: nothing after it needs to be known.
fn past(plan: &Plan) -> Plan {
    Plan { horizon: 0, ..plan.clone() }
}

/// Number of values of a history before all of its windows.
fn start_of_windows(history: &History, plan: &Plan, count: usize) -> usize {
    let length = history.values.len();
    windows(length, plan.horizon, count).last().map_or(length, |window| window.start)
}

/// At most this many indices of the series.
fn evenly_spaced(series: usize, most: usize) -> Vec<usize> {
    let count = series.min(most);
    (0..count).map(|place| place * series / count).collect()
}

fn plan_for(forecast: &Config, dataset: &Dataset, training_series: usize, control: &Control) -> Plan {
    let plan = Plan::new(forecast, dataset.frequency, dataset.panel.len(), control);
    let plan = Plan { preset: Preset::Best, ..plan };
    let columns = dataset.encoding.counts().len();
    Plan { history: global::longest_history(&plan, training_series, columns), ..plan }
}

fn histories(
    indices: &[usize],
    dataset: &Dataset,
    plan: &Plan,
    control: &Control,
) -> Result<Vec<History>, Failure> {
    let history = |&index: &usize| {
        stop_if_cancelled(control)?;
        history_of(index, dataset, plan)
    };
    indices.par_iter().map(history).collect()
}

/// The training task: the features of the block or the calendar alone, and the seasons for which the histories are long
/// enough.
fn task_of(recipe: Option<Recipe>, lengths: &[usize], plan: &Plan) -> Task {
    let (season, long) = global::seasons(lengths, plan);
    let recipe = recipe.unwrap_or(Recipe { time: true, ..Recipe::default() });
    Task { frequency: plan.frequency, horizon: plan.horizon, season, long, recipe }
}

fn effort_of(loss: TuneLoss, budget: Option<Duration>) -> Effort {
    let is_short = budget.is_some_and(|budget| budget < SHORT_BUDGET);
    let aim = match loss {
        TuneLoss::Mae | TuneLoss::Wql => Aim::Absolute,
        TuneLoss::Mse | TuneLoss::Rmse => Aim::Squared,
        TuneLoss::Mape | TuneLoss::Smape => Aim::Relative,
    };
    Effort { aim, ..global::effort(if is_short { Preset::Balanced } else { Preset::Best }, false) }
}

/// Writes the file whole or not at all, and returns its size.
fn write(model: &TunedModel, path: &Path) -> Result<u64, Failure> {
    let bytes = model.encode().map_err(|error| Failure::Model(error.to_string()))?;
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    fs::write(&part, &bytes).map_err(Failure::io("writing the model"))?;
    fs::rename(&part, path).map_err(Failure::io("writing the model"))?;
    Ok(bytes.len() as u64)
}
