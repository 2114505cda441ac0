//! The trained trees of a panel and their forecasts.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tabcast_calendar::Frequency;
use tabcast_models::{Forecast, Shape};
use tabcast_trees::boosting::Stop;
use tabcast_trees::{Ensemble, Rows};

use super::analogs::Analogs;
use super::learner::{Effort, LEVELS, Table};
use super::rows::{Layout, MOST_CODES, Prepared};
use super::sample::{Place, sample};
use super::track::Track;
use crate::covariates::engineered::Recipe;
use crate::history::History;

/// Fewer rows teach trees little.
const LEAST_ROWS: usize = 300;
/// Number of rows by which the analogs are chosen.
const CHOOSING_ROWS: usize = 3_000;
/// Width of the central 80 % interval of a normal distribution in standard deviations.
const BAND_WIDTH: f64 = 2.563_103_131_089_201;

/// Trees over the rows of all series, with everything needed to apply them to a history.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct GlobalModel {
    pub(super) layout: Layout,
    pub(super) horizon: usize,
    pub(super) direct: Ensemble,
    pub(super) recursive: Option<Ensemble>,
    pub(super) spread: Ensemble,
    pub(super) rows: usize,
}

/// The setting of a training: frequency, seasons and horizon.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) frequency: Frequency,
    pub(crate) horizon: usize,
    pub(crate) season: usize,
    /// The longer season; equal to the main one if there is none.
    pub(crate) long: usize,
    pub(crate) recipe: Recipe,
}

impl GlobalModel {
    /// Trains on the first values of some histories. None if there are too few, or once `stop` is set. Deterministic
    /// for any number of threads.
    pub(crate) fn learn(
        training_series: &[(&History, usize)],
        task: &Task,
        effort: Effort,
        stop: Stop<'_>,
    ) -> Option<Self> {
        let season = task.season;
        let columns = training_series.iter().map(|(history, _)| history.regressors.len()).max()?;
        let tracks: Vec<Track> = training_series
            .iter()
            .enumerate()
            .filter(|(_, (history, length))| *length > season + 3 && history.regressors.len() == columns)
            .filter_map(|(code, (history, length))| {
                Track::new(history, *length, Some(code), task.frequency, season)
            })
            .collect();
        let first = season + 2;
        let few = sample(&tracks, first, task.horizon, CHOOSING_ROWS);
        if few.len() < LEAST_ROWS.min(CHOOSING_ROWS) {
            return None;
        }
        let thinned: Vec<Place> = few.iter().copied().step_by(few.len().div_ceil(CHOOSING_ROWS)).collect();
        let analogs = Analogs::choose(&tracks, &thinned, (season, task.long), stop);
        let layout = Layout {
            analogs,
            recipe: task.recipe.clone(),
            frequency: task.frequency,
            columns,
            is_coded: (2..=MOST_CODES).contains(&training_series.len()),
        };
        if stop() {
            return None;
        }
        let prepared: Vec<Prepared> =
            tracks.into_par_iter().map(|track| Prepared::new(track, &layout.analogs, 1)).collect();
        let tracks: Vec<&Track> = prepared.iter().map(|prepared| &prepared.track).collect();
        let places = sample(&tracks, layout.first(), task.horizon, effort.rows);
        let table = Table::new(&layout, &prepared, &places, effort, stop)?;
        if table.len() < LEAST_ROWS {
            return None;
        }
        let direct = table.learn_centre(effort, stop)?;
        let spread = table.learn_spread(stop)?;
        let rows = table.len();
        drop(table);
        let recursive = if effort.is_recursive && task.horizon > 1 {
            let places = sample(&tracks, layout.first(), 1, effort.rows);
            Some(Table::new(&layout, &prepared, &places, effort, stop)?.learn_centre(effort, stop)?)
        } else {
            None
        };
        Some(Self { layout, horizon: task.horizon, direct, recursive, spread, rows })
    }

    /// Number of features of a row.
    pub(crate) fn features(&self) -> usize {
        self.direct.features.len()
    }

    /// Number of rows that the direct model was trained on.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// The forecasts of the members after the first `length` values of a history, in the order of [`super::NAMES`];
    /// none if the history does not fit. `code` is the number of the series among the training series.
    pub(crate) fn forecast(
        &self,
        history: &History,
        length: usize,
        code: Option<usize>,
        horizon: usize,
    ) -> [Option<Forecast>; 2] {
        self.members(history, length, code, horizon).unwrap_or_default()
    }

    fn members(
        &self,
        history: &History,
        length: usize,
        code: Option<usize>,
        horizon: usize,
    ) -> Option<[Option<Forecast>; 2]> {
        let layout = &self.layout;
        if horizon > self.horizon || history.regressors.len() != layout.columns || length < layout.first() {
            return None;
        }
        let track = Track::new(history, length, code, layout.frequency, layout.analogs.season)?;
        let since = length.saturating_sub(layout.reach()).max(1);
        let mut prepared = Prepared::new(track, &layout.analogs, since);
        let width = self.features();
        let mut rows = Vec::with_capacity(horizon * width);
        let mut frames = Vec::with_capacity(horizon);
        {
            let past = layout.past(&prepared.track.values, length);
            for target in length..length + horizon {
                let frame = layout.frame(&prepared.track, length, target)?;
                layout.write(&prepared, &past, length, target, frame, &mut rows);
                frames.push(frame);
            }
        }
        let centre = apply(&self.direct, &rows, horizon)?;
        let bands = apply(&self.spread, &rows, horizon)?;
        let largest = prepared.track.largest;
        let sd: Vec<f64> = bands
            .chunks_exact(LEVELS.len())
            .zip(&frames)
            .map(|(band, frame)| (band[2] - band[0]).max(0.0) / BAND_WIDTH * frame.scale * largest)
            .collect();
        let mean = frames.iter().zip(&centre).map(|(frame, out)| (frame.base + out * frame.scale) * largest);
        let direct = Forecast { mean: mean.collect(), sd: sd.clone(), shape: Shape::Normal };
        let recursive = self.recursive.as_ref().and_then(|trees| {
            let mean = self.step_by_step(trees, &mut prepared, length, horizon)?;
            Some(Forecast { mean, sd, shape: Shape::Normal })
        });
        Some([Some(direct), recursive])
    }

    /// One-step forecasts, each made as if the ones before it were observed.
    fn step_by_step(
        &self,
        trees: &Ensemble,
        prepared: &mut Prepared,
        length: usize,
        horizon: usize,
    ) -> Option<Vec<f64>> {
        let layout = &self.layout;
        let mut mean = Vec::with_capacity(horizon);
        let mut row = Vec::with_capacity(self.features());
        for at in length..length + horizon {
            let frame = layout.frame(&prepared.track, at, at)?;
            row.clear();
            {
                let past = layout.past(&prepared.track.values, at);
                layout.write(prepared, &past, at, at, frame, &mut row);
            }
            let value = frame.base + apply(trees, &row, 1)?[0] * frame.scale;
            mean.push(value * prepared.track.largest);
            prepared.push(value, &layout.analogs);
        }
        prepared.truncate(length);
        Some(mean)
    }
}

/// Predictions for consecutive rows.
fn apply(trees: &Ensemble, rows: &[f64], count: usize) -> Option<Vec<f64>> {
    let width = trees.features.len();
    let columns: Vec<Vec<f64>> =
        (0..width).map(|column| rows[column..].iter().step_by(width).copied().collect()).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let mut out = vec![0.0; count * trees.outputs];
    trees.predict(&Rows::new(&columns).ok()?, &mut out).ok()?;
    Some(out)
}
