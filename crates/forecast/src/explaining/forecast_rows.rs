//! The rows on which a forecast is explained: one per series, origin and step after it.
//!
//! Source: the surrogate of arXiv 2510.08739 over expanding origins, as `TimeSHAP` has them.

use std::sync::Arc;

use rayon::prelude::*;
use tabcast_analyses::Share;
use tabcast_calendar::Micros;
use tabcast_explain::importance::FeatureGroups;
use tabcast_explain::{Feature, Features, LARGEST, Values};

use super::Subject;
use super::names::told_apart;
use crate::Failure;
use crate::covariates::engineered::{Past, Recipe, RollingStat, Unit, write_calendar};
use crate::history::History;
use crate::run::forecaster::history_of;

/// Minimum number of origins per series, including the last one; also the maximum where there are few series.
const ORIGINS: usize = 4;
const MOST_ORIGINS: usize = 48;
/// With this many rows, no further origins are added.
const ENOUGH_ROWS: usize = 500;
/// With fewer values before it, an origin says little about a model that will have the whole history.
const LEAST_PAST: usize = 12;

/// The rows, column by column.
pub(crate) struct ForecastRows {
    pub(crate) features: Features,
    pub(crate) groups: FeatureGroups,
    /// In units of `scale`.
    pub(crate) predictions: Vec<f64>,
    /// NaN where not known yet.
    pub(crate) actuals: Vec<f64>,
    /// Mean absolute value of the series.
    pub(crate) scale: Vec<f64>,
    /// Position among the explained series.
    pub(crate) series: Vec<u32>,
    /// Fold of each row: its origin, counted from the end, or its series if there is a single origin.
    pub(crate) folds: Vec<u32>,
    /// Which columns are cyclic, such as the month.
    pub(crate) cyclic: Vec<bool>,
    /// Series that have no rows because their values are too large.
    pub(crate) beyond: usize,
    /// For each row: the series of the run, the step that is forecast, counted from 1, and its stamp.
    pub(crate) places: Vec<(usize, usize, Micros)>,
}

/// The rows of one series.
#[derive(Default)]
struct Rows {
    /// Values of all features, row after row.
    cells: Vec<f64>,
    predictions: Vec<f64>,
    actuals: Vec<f64>,
    origins: Vec<u32>,
    steps: Vec<usize>,
    stamps: Vec<Micros>,
    scale: f64,
    /// Whether the series has values too large to be explained.
    is_beyond: bool,
}

/// The layout that the rows of all series share.
struct Layout<'a> {
    subject: &'a Subject<'a>,
    recipe: Arc<Recipe>,
    calendar: usize,
    past: usize,
    covariates: usize,
    /// The steps of the horizon that are explained, from 1.
    steps: Vec<usize>,
    /// Number of origins per series.
    origins: usize,
}

impl ForecastRows {
    /// Rows of the final forecasts and of forecasts from earlier origins. The latter come from the backtest; if it has
    /// too few, they are computed here.
    pub(crate) fn of(subject: &Subject<'_>, max_rows: usize, share: &Share<'_>) -> Result<Self, Failure> {
        let Subject { dataset, forecaster, kept, .. } = *subject;
        let plan = forecaster.plan();
        let recipe = plan.recipe.clone().unwrap_or_else(|| Arc::new(usual_recipe(plan.season)));
        let columns = dataset.encoding.names(&dataset.panel);
        let count = kept.explained.len().max(1);
        let origins = (ENOUGH_ROWS.min(max_rows) / (count * plan.horizon)).clamp(ORIGINS, MOST_ORIGINS);
        let layout = Layout {
            calendar: recipe.calendar_width(plan.frequency),
            past: recipe.history_width(),
            covariates: columns.len(),
            steps: spread_steps(plan.horizon, max_rows / (origins * count)),
            origins,
            subject,
            recipe,
        };
        let found: Vec<Rows> = kept
            .explained
            .par_iter()
            .map(|&index| if share.is_over() { Ok(Rows::default()) } else { layout.rows(index, share) })
            .collect::<Result<_, _>>()?;
        share.check()?;
        let mut names = vec!["steps_ahead".to_owned()];
        names.extend(layout.recipe.names(plan.frequency));
        let given: Vec<String> = columns
            .iter()
            .map(|column| match &column.category {
                Some(category) => format!("{} = {category}", column.covariate),
                None => column.covariate.clone(),
            })
            .collect();
        let given = told_apart(&names, given.iter().map(String::as_str));
        names.extend(given);
        let groups = layout.groups(&names, columns.iter().map(|column| column.covariate.as_str()));
        let cyclic = (0..names.len()).map(|at| (1..=layout.calendar).contains(&at)).collect();
        let beyond = found.iter().filter(|rows| rows.is_beyond).count();
        Ok(Self { cyclic, beyond, ..gather(names, groups, &kept.explained, &found) })
    }
}

/// The features used when the request names none.
fn usual_recipe(season: usize) -> Recipe {
    let season = season.max(1);
    let (near, far) = if season > 1 { (season.min(4), season) } else { (3, 12) };
    let mut lags = vec![1, season, 2 * season];
    lags.sort_unstable();
    lags.dedup();
    let mut windows = vec![near, far];
    windows.dedup();
    let mut growth = vec![1, season];
    growth.dedup();
    Recipe {
        time: true,
        cyclical: false,
        flags: true,
        lags,
        windows,
        stats: vec![RollingStat::Mean, RollingStat::Std],
        growth,
    }
}

/// At most `most` steps of a horizon, spread evenly, always including the first and the last.
fn spread_steps(horizon: usize, most: usize) -> Vec<usize> {
    let count = most.clamp(2, horizon.max(2)).min(horizon);
    let mut steps: Vec<usize> =
        (0..count).map(|place| 1 + place * (horizon - 1) / (count - 1).max(1)).collect();
    steps.dedup();
    steps
}

impl Layout<'_> {
    fn width(&self) -> usize {
        1 + self.calendar + self.past + self.covariates
    }

    fn rows(&self, index: usize, share: &Share<'_>) -> Result<Rows, Failure> {
        let Subject { dataset, forecaster, kept, .. } = *self.subject;
        let plan = forecaster.plan();
        let history = history_of(index, dataset, plan)?;
        let length = history.values.len();
        let scale = mean_size(&history.values);
        let is_beyond = |values: &[f64]| values.iter().any(|value| value.abs() > LARGEST);
        if is_beyond(&history.values) || is_beyond(&kept.forecast(index).mean) {
            return Ok(Rows { is_beyond: true, ..Rows::default() });
        }
        if scale == 0.0 {
            return Ok(Rows::default());
        }
        let judged = forecaster
            .backtest_of(index)
            .map(|backtest| backtest.held_back_forecasts(&history, plan, forecaster.combinations()))
            .unwrap_or_default();
        // In a short history, origins lie less than a horizon apart.
        let room = length.saturating_sub(LEAST_PAST.max(2 * plan.season));
        let stride = (room / (self.origins - 1)).clamp(1, plan.horizon);
        let starts: Vec<usize> =
            (1..self.origins).map(|back| back * stride).take_while(|&back| back <= room).collect();
        let earlier = starts.into_par_iter().filter(|_| !share.is_over()).map(|back| {
            let start = length - back;
            let tested = judged.iter().find(|window| window.held_back.start == start);
            let mean = tested
                .map_or_else(|| forecaster.look_back(index, &history, start), |window| window.mean.clone());
            (start, mean)
        });
        // The latest origin first, each with its forecast.
        let mut origins: Vec<(usize, Vec<f64>)> = vec![(length, kept.forecast(index).mean.clone())];
        origins.extend(earlier.collect::<Vec<_>>());
        let earliest = origins.last().map_or(length, |origin| origin.0);
        let past = Past::since(&history.values, &self.recipe, earliest);
        let mut rows = Rows { scale, ..Rows::default() };
        for (start, mean) in origins.iter().rev() {
            // Origins less than a horizon apart are nearly the same, so they share a fold.
            let back = (length - start).div_ceil(plan.horizon);
            for &step in self.steps.iter().take_while(|&&step| step <= mean.len()) {
                rows.cells.extend(std::iter::repeat_n(f64::NAN, self.width()));
                let first = rows.cells.len() - self.width();
                self.write(&history, &past, *start, step, scale, &mut rows.cells[first..]);
                rows.predictions.push(mean[step - 1] / scale);
                let actual = history.values.get(start + step - 1).copied();
                rows.actuals.push(actual.map_or(f64::NAN, |actual| actual / scale));
                rows.origins.push(back as u32);
                rows.steps.push(step);
                rows.stamps.push(history.stamp(start + step - 1, plan.frequency));
            }
        }
        Ok(rows)
    }

    /// Writes the features of a step after the first `start` values.
    fn write(
        &self,
        history: &History,
        past: &Past<'_>,
        start: usize,
        step: usize,
        scale: f64,
        out: &mut [f64],
    ) {
        let at = start + step - 1;
        let frequency = self.subject.forecaster.plan().frequency;
        let (ahead, out) = out.split_at_mut(1);
        ahead[0] = step as f64;
        let (calendar, out) = out.split_at_mut(self.calendar);
        write_calendar(&self.recipe, frequency, history.stamp(at, frequency), calendar);
        let (own, covariates) = out.split_at_mut(self.past);
        past.write(start, step, Unit { level: 0.0, scale }, own);
        for (cell, column) in covariates.iter_mut().zip(&history.regressors) {
            *cell = column.get(at).copied().unwrap_or(f64::NAN);
        }
    }

    /// The groups in which features are shown.
    fn groups<'a>(&self, names: &[String], covariates: impl Iterator<Item = &'a str>) -> FeatureGroups {
        let mut groups = FeatureGroups { names: Vec::new(), of_column: Vec::with_capacity(names.len()) };
        let mut put = |group: &str| {
            let known = groups.names.iter().position(|name| name == group);
            let place = known.unwrap_or_else(|| {
                groups.names.push(group.to_owned());
                groups.names.len() - 1
            });
            groups.of_column.push(place);
        };
        put("steps ahead");
        (0..self.calendar).for_each(|_| put("calendar"));
        for &lag in &self.recipe.lags {
            put(if lag == 1 { "recent level" } else { "earlier values" });
        }
        for _ in &self.recipe.windows {
            for stat in &self.recipe.stats {
                put(if *stat == RollingStat::Std { "recent spread" } else { "recent level" });
            }
        }
        self.recipe.growth.iter().for_each(|_| put("recent growth"));
        // A covariate may have the name of another feature group.
        let covariates: Vec<&str> = covariates.collect();
        for run in covariates.chunk_by(|one, other| one == other) {
            let name = told_apart(&groups.names, run.iter().take(1).copied());
            groups.names.extend(name);
            groups.of_column.extend(run.iter().map(|_| groups.names.len() - 1));
        }
        groups
    }
}

fn mean_size(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    values.iter().map(|value| value.abs() / largest).sum::<f64>() / values.len() as f64 * largest
}

fn gather(names: Vec<String>, groups: FeatureGroups, explained: &[usize], found: &[Rows]) -> ForecastRows {
    let (width, rows) = (names.len(), found.iter().map(|rows| rows.predictions.len()).sum::<usize>());
    let columns = names.into_iter().enumerate().map(|(column, name)| {
        let cells = found.iter().flat_map(|rows| rows.cells.iter().skip(column).step_by(width));
        Feature { name, values: Values::Numbers(cells.copied().collect()) }
    });
    let features = Features::new(rows, columns.collect()).expect("a cell a row");
    let each = |of: fn(&Rows) -> &Vec<f64>| found.iter().flat_map(|rows| of(rows).iter().copied()).collect();
    let series: Vec<u32> = found
        .iter()
        .enumerate()
        .flat_map(|(place, rows)| std::iter::repeat_n(place as u32, rows.predictions.len()))
        .collect();
    let origins: Vec<u32> = found.iter().flat_map(|rows| rows.origins.iter().copied()).collect();
    let is_single = origins.iter().all(|origin| *origin == origins[0]);
    ForecastRows {
        features,
        groups,
        predictions: each(|rows| &rows.predictions),
        actuals: each(|rows| &rows.actuals),
        scale: found
            .iter()
            .flat_map(|rows| std::iter::repeat_n(rows.scale, rows.predictions.len()))
            .collect(),
        folds: if is_single { series.clone() } else { origins },
        series,
        cyclic: Vec::new(),
        beyond: 0,
        places: found
            .iter()
            .zip(explained)
            .flat_map(|(rows, &index)| {
                rows.steps.iter().zip(&rows.stamps).map(move |(&step, &stamp)| (index, step, stamp))
            })
            .collect(),
    }
}
