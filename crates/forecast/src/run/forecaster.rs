//! The parallel part of a run: learning from a sample of the series, then forecasting all of them.

use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tabcast_table::shorten;

use crate::backtest::{Backtest, backtest};
use crate::combination::combinations::Combinations;
use crate::covariates::effect::LONGEST_EXPLAINED;
use crate::dataset::Dataset;
use crate::history::History;
use crate::learners::cold_start::{ColdStart, shortest_donor};
use crate::learners::global::{self, GlobalPanel};
use crate::learners::pooled::{PooledPanel, TrainingSeries};
use crate::learners::seasonal;
use crate::learners::tuned::TunedModel;
use crate::run::plan::Plan;
use crate::run::series_forecast::{Known, SeriesForecast, forecast_series};
use crate::run::stages;
use crate::run::time_budget::TimeBudget;
use crate::run::timers::Timers;
use crate::shards::Part;
use crate::{Control, Failure, Preset};

/// Maximum number of series that are backtested. A sample of this size determines weights and intervals as well as all
/// series would, and the cost of the backtest stays the same for a million series.
const SAMPLED_SERIES: usize = 2_000;
/// Number of series whose cheap forecasts are timed if there is a time budget; they are done before the budget matters.
const TIMED_SERIES: usize = 16;

/// A plan with everything that was learned for it.
#[derive(Debug, Serialize, Deserialize)]
struct Learned {
    plan: Plan,
    combinations: Combinations,
    pooled: PooledPanel,
    global: GlobalPanel,
    cold_start: ColdStart,
}

impl Learned {
    /// A plan without anything learned.
    fn nothing(plan: Plan) -> Self {
        Self {
            combinations: Combinations::learn(&[], &plan),
            plan,
            pooled: PooledPanel::default(),
            global: GlobalPanel::default(),
            cold_start: ColdStart::default(),
        }
    }

    fn known(&self) -> Known<'_> {
        let Self { plan, combinations, pooled, global, .. } = self;
        Known { plan, combinations, pooled, global }
    }
}

/// What a process needs to forecast any part of the series as the whole run does.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Prepared {
    chosen: Learned,
    cheap: Plan,
    cheap_seconds: f64,
}

/// Forecasts the series of one dataset. Its methods run on the current thread pool.
pub(crate) struct Forecaster<'a> {
    dataset: &'a Dataset,
    control: &'a Control,
    chosen: Learned,
    /// Backtests of the sampled series, in their order.
    backtests: Vec<Backtest>,
    /// For series for which too little time is left.
    cheap: Learned,
    /// A fine-tuned model, which then makes all forecasts.
    tuned: Option<&'a TunedModel>,
    time_budget: TimeBudget,
    pub(crate) timers: Timers,
}

impl<'a> Forecaster<'a> {
    /// Backtests a sample of the series. `began` is when the run began, `budget` its time budget.
    pub(crate) fn prepare(
        dataset: &'a Dataset,
        control: &'a Control,
        plan: Plan,
        began: Instant,
        budget: Option<Duration>,
    ) -> Result<Self, Failure> {
        let cheap = Learned::nothing(with_history(plan.with_preset(Preset::Fast), dataset));
        // The preset `fast` has no cheaper fallback.
        let budget = budget.filter(|_| plan.preset != Preset::Fast);
        let is_timed = budget.is_some() && dataset.series() > TIMED_SERIES;
        let cheap_seconds = if is_timed { time_cheap(dataset, &cheap)? } else { 0.0 };
        let time_budget = TimeBudget::new(began, budget, dataset.series(), cheap_seconds);
        let stop = || control.is_cancelled() || time_budget.must_stop_learning();
        let plan = with_history(plan, dataset);
        let pooled = learn_pooled(dataset, control, &plan, &stop)?;
        let global = learn_global(dataset, control, &plan, &stop)?;
        let backtest_plan = Plan { deadline: time_budget.backtest_deadline(), ..plan.clone() };
        let backtests = run_backtests(dataset, control, &backtest_plan, (&pooled, &global), &time_budget)?;
        let plan = Plan { deadline: time_budget.last_deadline(), ..plan };
        let combinations = Combinations::learn(&backtests, &plan);
        if control.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let mut chosen = Learned { plan, combinations, pooled, global, cold_start: ColdStart::default() };
        let stop = || control.is_cancelled() || time_budget.must_fall_back();
        chosen.cold_start = learn_cold_start(dataset, &backtests, &chosen, &stop);
        if control.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let timers = Timers::default();
        Ok(Self { dataset, control, chosen, backtests, cheap, tuned: None, time_budget, timers })
    }

    /// For forecasts by a fine-tuned model: nothing is learned.
    pub(crate) fn with_model(
        dataset: &'a Dataset,
        control: &'a Control,
        plan: Plan,
        model: &'a TunedModel,
    ) -> Self {
        let plan = model.plan(plan);
        Self {
            dataset,
            control,
            chosen: Learned::nothing(plan.clone()),
            backtests: Vec::new(),
            cheap: Learned::nothing(plan),
            tuned: Some(model),
            time_budget: TimeBudget::new(Instant::now(), None, dataset.series(), 0.0),
            timers: Timers::default(),
        }
    }

    /// For a part of the series of a run that was prepared elsewhere: `place_of` gives the series of the run the
    /// indices that they have in the part, in the same order.
    pub(crate) fn resume(
        part: &'a Part,
        control: &'a Control,
        prepared: Prepared,
        place_of: impl Fn(usize) -> Option<usize>,
        budget: Option<Duration>,
    ) -> Self {
        let Prepared { mut chosen, mut cheap, cheap_seconds } = prepared;
        let Part { dataset, model } = part;
        let time_budget = TimeBudget::new(Instant::now(), budget, dataset.series(), cheap_seconds);
        for plan in [&mut chosen.plan, &mut cheap] {
            plan.cancel = control.shared_cancel_flag();
        }
        chosen.plan.deadline = time_budget.last_deadline();
        chosen.global.renumber(place_of);
        Self {
            dataset,
            control,
            chosen,
            backtests: Vec::new(),
            cheap: Learned::nothing(cheap),
            tuned: model.as_ref(),
            time_budget,
            timers: Timers::default(),
        }
    }

    /// With backtests of some series, in their order.
    pub(crate) fn with_backtests(self, backtests: Vec<Backtest>) -> Self {
        Self { backtests, ..self }
    }

    /// What other processes need to forecast as this one does, and the backtests.
    pub(crate) fn into_prepared(self) -> (Prepared, Vec<Backtest>) {
        let Self { chosen, cheap, time_budget, backtests, .. } = self;
        (Prepared { chosen, cheap: cheap.plan, cheap_seconds: time_budget.cheap_seconds() }, backtests)
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.chosen.plan
    }

    pub(crate) fn combinations(&self) -> &Combinations {
        &self.chosen.combinations
    }

    /// The backtests of the sampled series, in their order.
    pub(crate) fn backtests(&self) -> &[Backtest] {
        &self.backtests
    }

    /// The backtest of a series, if the series was sampled.
    pub(crate) fn backtest_of(&self, index: usize) -> Option<&Backtest> {
        let place = self.backtests.binary_search_by_key(&index, |backtest| backtest.index).ok()?;
        Some(&self.backtests[place])
    }

    /// The forecast after the first `start` values of a series, by models and weights learned from all values of all
    /// series.
    pub(crate) fn look_back(&self, index: usize, history: &History, start: usize) -> Vec<f64> {
        self.say(index, &history.before(start, self.chosen.plan.horizon), &self.chosen).mean
    }

    fn forecast_one(&self, index: usize, budget_short: bool) -> Result<(History, SeriesForecast), Failure> {
        let learned = if budget_short { &self.cheap } else { &self.chosen };
        let history = cleaned_history_of(index, self.dataset, &learned.plan)?;
        let series_forecast = self.say(index, &history, learned);
        let mut series_forecast = learned.cold_start.complete(&history, &learned.known(), series_forecast);
        series_forecast.budget_short = budget_short;
        series_forecast.lacks_features =
            learned.plan.recipe.as_ref().is_some_and(|recipe| history.values.len() < recipe.reach());
        Ok((history, series_forecast))
    }

    /// Whether a fine-tuned model makes the forecasts.
    pub(crate) fn is_tuned(&self) -> bool {
        self.tuned.is_some()
    }

    fn say(&self, index: usize, history: &History, learned: &Learned) -> SeriesForecast {
        match self.tuned {
            Some(model) => {
                model.series_forecast(self.dataset.id(index), history, &learned.plan, &self.timers)
            }
            None => forecast_series(history, learned.global.code(index), &learned.known(), &self.timers),
        }
    }

    /// The networks of the panel.
    pub(crate) fn pooled(&self) -> &PooledPanel {
        &self.chosen.pooled
    }

    /// The global models of the panel.
    pub(crate) fn global(&self) -> &GlobalPanel {
        &self.chosen.global
    }

    /// Errors of the forecasts of the last `windows` horizons of a series, each made from the values before it; the
    /// latest horizon comes first. NaN where fewer than `least` values precede the horizon. None if there is no time
    /// for it.
    pub(crate) fn errors_before(
        &self,
        index: usize,
        windows: usize,
        least: usize,
    ) -> Result<Option<Vec<f64>>, Failure> {
        if self.control.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        if self.time_budget.must_fall_back() {
            return Ok(None);
        }
        let learned = &self.chosen;
        let Learned { plan, combinations, .. } = learned;
        let history = cleaned_history_of(index, self.dataset, plan)?;
        let tested = self.backtest_of(index);
        let mut errors = Vec::with_capacity(windows * plan.horizon);
        for window in 1..=windows {
            let start =
                history.values.len().checked_sub(window * plan.horizon).filter(|&start| start >= least);
            let Some(start) = start else {
                errors.resize(windows * plan.horizon, f64::NAN);
                break;
            };
            let held_back = start..start + plan.horizon;
            let judged = tested.and_then(|backtest| backtest.mean(&held_back, plan, combinations));
            let mean = judged.unwrap_or_else(|| self.look_back(index, &history, start));
            errors.extend(history.values[held_back].iter().zip(&mean).map(|(actual, mean)| actual - mean));
        }
        self.control.units_done(windows);
        Ok((!self.time_budget.must_fall_back()).then_some(errors))
    }

    /// Forecasts some series, in their order; of each history, only what the table needs is kept.
    pub(crate) fn forecast(&self, chunk: Range<usize>) -> Result<Vec<(History, SeriesForecast)>, Failure> {
        chunk
            .into_par_iter()
            .map(|index| {
                if self.control.is_cancelled() {
                    return Err(Failure::Cancelled);
                }
                let budget_short = self.time_budget.must_fall_back();
                let (mut history, mut series_forecast) = self.forecast_one(index, budget_short)?;
                // An interrupted forecast is worthless, whether a cancel or the deadline of the expensive models
                // interrupted it.
                if !budget_short
                    && self.chosen.plan.deadline.is_some_and(|deadline| Instant::now() >= deadline)
                {
                    (history, series_forecast) = self.forecast_one(index, true)?;
                }
                if self.control.is_cancelled() {
                    return Err(Failure::Cancelled);
                }
                history.values = Vec::new();
                history.regressors = Vec::new();
                self.time_budget.series_done();
                self.control.units_done(1);
                Ok((history, series_forecast))
            })
            .collect()
    }
}

/// The history of a series, or of a sum, on the grid.
pub(crate) fn history_of(index: usize, dataset: &Dataset, plan: &Plan) -> Result<History, Failure> {
    let Some(hierarchy) = &dataset.hierarchy else {
        return history_of_series(index, dataset, plan, |_| 0);
    };
    match index.checked_sub(hierarchy.inner()) {
        Some(series) => {
            let history =
                history_of_series(series, dataset, plan, |history| hierarchy.steps_after(history, plan))?;
            Ok(hierarchy.extend(history, plan))
        }
        None => hierarchy.history_of_sum(index, dataset, plan),
    }
}

/// The same history as models see it, with outliers replaced.
pub(crate) fn cleaned_history_of(index: usize, dataset: &Dataset, plan: &Plan) -> Result<History, Failure> {
    Ok(history_of(index, dataset, plan)?.without_outliers(plan))
}

/// The history of a series of the panel on its own grid, with regressors for `late` steps and then for the horizon.
fn history_of_series(
    index: usize,
    dataset: &Dataset,
    plan: &Plan,
    late: impl FnOnce(&History) -> usize,
) -> Result<History, Failure> {
    let (timestamps, targets) = dataset.panel.series(index);
    // The reader refuses series without observations.
    let mut history = History::of(timestamps, targets, plan).ok_or_else(|| {
        let id = shorten(dataset.panel.ids.get(index));
        Failure::InvalidForecast(format!("item {id:?} has no observation"))
    })?;
    let ahead = late(&history) + plan.horizon;
    (history.regressors, history.drawn_in) =
        dataset.encoding.columns(&dataset.panel, index, &history, dataset.frequency, ahead);
    Ok(history)
}

/// The indices of `count` series spread evenly over the panel.
fn spread(count: usize, series: usize) -> impl IndexedParallelIterator<Item = usize> {
    let count = count.min(series);
    (0..count).into_par_iter().map(move |place| place * series / count)
}

/// Trains the networks on the sampled series, if the preset has such a member.
pub(crate) fn learn_pooled(
    dataset: &Dataset,
    control: &Control,
    plan: &Plan,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<PooledPanel, Failure> {
    if plan.preset != Preset::Best {
        return Ok(PooledPanel::default());
    }
    control.enter_units(stages::BACKTEST, dataset.series().min(SAMPLED_SERIES));
    let training_series: Vec<Option<TrainingSeries>> = spread(SAMPLED_SERIES, dataset.series())
        .map(|index| {
            if control.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            Ok(TrainingSeries::of(cleaned_history_of(index, dataset, plan)?, plan))
        })
        .collect::<Result<_, _>>()?;
    let training_series: Vec<TrainingSeries> = training_series.into_iter().flatten().collect();
    let pooled = PooledPanel::learn(&training_series, plan, stop);
    if control.is_cancelled() { Err(Failure::Cancelled) } else { Ok(pooled) }
}

/// The plan with histories long enough for effects of covariates and for global models.
fn with_history(plan: Plan, dataset: &Dataset) -> Plan {
    let columns = dataset.encoding.counts().len();
    // Sums are only as long as the preset's history.
    if dataset.hierarchy.is_some() {
        return plan;
    }
    let series = dataset.series().min(SAMPLED_SERIES);
    let history = if seasonal::joins(&plan, columns) {
        seasonal::longest_history(&plan, series)
    } else if global::joins(&plan, dataset.series(), columns) {
        global::longest_history(&plan, series, columns)
    } else if columns > 0 {
        LONGEST_EXPLAINED.max(plan.history)
    } else {
        plan.history
    };
    Plan { history, ..plan }
}

/// Trains the global models on the sampled series, if the preset has them.
pub(crate) fn learn_global(
    dataset: &Dataset,
    control: &Control,
    plan: &Plan,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<GlobalPanel, Failure> {
    if !global::joins(plan, dataset.series(), dataset.encoding.counts().len()) {
        return Ok(GlobalPanel::default());
    }
    let training_series: Vec<Option<global::TrainingSeries>> = spread(SAMPLED_SERIES, dataset.series())
        .map(|index| {
            if control.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            Ok(global::TrainingSeries::of(index, cleaned_history_of(index, dataset, plan)?, plan))
        })
        .collect::<Result<_, _>>()?;
    let training_series: Vec<global::TrainingSeries> = training_series.into_iter().flatten().collect();
    let learned = GlobalPanel::learn(&training_series, plan, stop);
    if control.is_cancelled() { Err(Failure::Cancelled) } else { Ok(learned) }
}

/// Learns the cold-start blends from the long series.
fn learn_cold_start(
    dataset: &Dataset,
    backtests: &[Backtest],
    learned: &Learned,
    stop: &(dyn Fn() -> bool + Sync),
) -> ColdStart {
    let rows = (0..dataset.panel.len()).into_par_iter().map(|series| {
        let (_, targets) = dataset.panel.series(series);
        targets.iter().filter(|target| !target.is_nan()).count()
    });
    let rows: Vec<usize> = rows.collect();
    if !ColdStart::is_of_use(&rows, &learned.plan) {
        return ColdStart::default();
    }
    let history = |index: usize| cleaned_history_of(index, dataset, &learned.plan).ok();
    let series: Vec<(usize, Option<&Backtest>)> = if learned.plan.preset == Preset::Fast {
        let first = dataset.series() - rows.len();
        let long = (0..rows.len()).filter(|series| rows[*series] >= shortest_donor(&learned.plan));
        long.map(|series| (first + series, None)).collect()
    } else {
        let judged = backtests.iter().filter(|backtest| !backtest.windows.is_empty());
        judged.map(|backtest| (backtest.index, Some(backtest))).collect()
    };
    ColdStart::learn(&series, &rows, history, &learned.known(), |index| learned.global.code(index), stop)
}

/// Backtests of the sampled series, in their order; those for which the budget left no time are missing.
fn run_backtests(
    dataset: &Dataset,
    control: &Control,
    plan: &Plan,
    (pooled, global): (&PooledPanel, &GlobalPanel),
    time_budget: &TimeBudget,
) -> Result<Vec<Backtest>, Failure> {
    if plan.windows == 0 {
        return Ok(Vec::new());
    }
    let timers = Timers::default();
    control.enter_units(stages::BACKTEST, dataset.series().min(SAMPLED_SERIES));
    let backtests: Vec<Option<_>> = spread(SAMPLED_SERIES, dataset.series())
        .map(|index| {
            if control.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            control.units_done(1);
            if time_budget.must_stop_backtests() {
                return Ok(None);
            }
            let history = cleaned_history_of(index, dataset, plan)?;
            let found = backtest(index, &history, plan, pooled, global, &timers);
            // The last backtests may have been interrupted.
            Ok((!time_budget.must_stop_backtests()).then_some(found))
        })
        .collect::<Result<_, _>>()?;
    Ok(backtests.into_iter().flatten().collect())
}

/// Wall time of one cheap forecast, in seconds, when all threads of the pool work.
fn time_cheap(dataset: &Dataset, cheap: &Learned) -> Result<f64, Failure> {
    let began = Instant::now();
    let timed = spread(TIMED_SERIES, dataset.series());
    let count = timed.len();
    timed.try_for_each(|index| {
        let history = cleaned_history_of(index, dataset, &cheap.plan)?;
        forecast_series(&history, None, &cheap.known(), &Timers::default());
        if cheap.plan.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        Ok::<_, Failure>(())
    })?;
    Ok(began.elapsed().as_secs_f64() / count.max(1) as f64)
}
