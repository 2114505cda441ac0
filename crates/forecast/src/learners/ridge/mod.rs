//! One linear model for all series of a panel, of the features that a block asks for.
//!
//! A row is a series, an origin and a step after it; its target is the value of that step, measured from the one a
//! whole season before in usual seasonal differences, so that rows of all series are alike. Ridge regression (Hoerl
//! and Kennard, Technometrics 12, 1970) on standardised features, where a missing one has its mean; the penalty is
//! the one with the least error on the last stretch of each series. Sums of products are all that is kept of the
//! rows, so that memory does not grow with them.

mod normal;
mod rows;
mod standard;
mod stored;

use normal::Normal;
use rayon::prelude::*;
use rows::{Place, SeriesRows, places};
use standard::Standard;
use tabcast_calendar::Frequency;
use tabcast_models::{Forecast, Shape};

use crate::covariates::engineered::Recipe;
use crate::history::History;
use crate::learners::global::Task;

/// The member's name in a combination.
pub(crate) const NAME: &str = "pooled_ridge";

/// Fewer rows teach little.
const LEAST_ROWS: usize = 200;
/// Rows that are learned from, and products of features that may be added up: what decides about time.
const MOST_ROWS: usize = 100_000;
const MOST_PRODUCTS: usize = 1_000_000_000;
/// Rows from which the usual values of features are found.
const STANDARD_ROWS: usize = 4_000;
/// Penalties that are tried, in parts of the number of rows; with the largest, little more than the seasonal value is
/// left.
const PENALTIES: [f64; 7] = [1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0];
/// Targets and forecasts further out than this, in usual seasonal differences, say no more.
const FURTHEST: f64 = 15.0;
/// Series whose sums one task adds up; the result depends on it, so it does not follow from the number of threads.
const CHUNK: usize = 64;
/// The standard deviation of a normal distribution in its mean absolute deviations.
const DEVIATIONS: f64 = 1.253_314_137_315_5;

/// What rows are made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) recipe: Recipe,
    pub(crate) frequency: Frequency,
    /// Of the base, 1 for none.
    pub(crate) season: usize,
    pub(crate) horizon: usize,
    /// Covariates.
    pub(crate) columns: usize,
}

/// Coefficients for all series, with everything that is needed to apply them to a history.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RidgeModel {
    layout: Layout,
    standard: Standard,
    /// One a feature, and the constant last.
    coefficients: Vec<f64>,
    /// Rows that were learned from.
    rows: usize,
    /// Mean absolute error by step, the last one for all steps beyond, in usual seasonal differences.
    errors: Vec<f64>,
}

impl Layout {
    /// For a task and the histories that are learned from.
    pub(crate) fn of(task: &Task, histories: &[(&History, usize)]) -> Self {
        Self {
            recipe: task.recipe.clone(),
            frequency: task.frequency,
            season: task.season,
            horizon: task.horizon,
            columns: histories.iter().map(|(history, _)| history.regressors.len()).max().unwrap_or(0),
        }
    }
}

impl RidgeModel {
    /// Learns from the first values of some histories. None where they are too few or too short, and when `stop` says
    /// so. Deterministic for any number of threads.
    pub(crate) fn learn(
        training_series: &[(&History, usize)],
        layout: Layout,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let usable: Vec<(&History, usize)> = training_series
            .iter()
            .copied()
            .filter(|(history, length)| layout.fits(history) && *length >= layout.shortest())
            .collect();
        let width = layout.width();
        let most = (MOST_PRODUCTS / (width * width)).min(MOST_ROWS) / usable.len().max(1);
        let places: Vec<Vec<Place>> =
            usable.iter().map(|(_, length)| places(*length, &layout, most.max(1))).collect();
        let count: usize = places.iter().map(Vec::len).sum();
        if count < LEAST_ROWS {
            return None;
        }
        let standard = standard_of(&usable, &places, &layout, count.div_ceil(STANDARD_ROWS));
        let sums = |is_late: bool| -> Option<Normal> {
            let parts: Vec<Option<Normal>> = usable
                .par_chunks(CHUNK)
                .zip(places.par_chunks(CHUNK))
                .map(|(training_series, places)| {
                    let mut normal = Normal::new(width + 1);
                    for ((history, length), places) in training_series.iter().zip(places) {
                        if stop() {
                            return None;
                        }
                        let rows = SeriesRows::new(history, *length, &layout);
                        for place in places.iter().filter(|place| place.is_late == is_late) {
                            rows.with_row(place, |row, target| {
                                standard.apply(row);
                                normal.add(row, target.clamp(-FURTHEST, FURTHEST));
                            });
                        }
                    }
                    Some(normal)
                })
                .collect();
            let mut whole = Normal::new(width + 1);
            for part in parts {
                whole.join(&part?);
            }
            Some(whole)
        };
        let (early, late) = (sums(false)?, sums(true)?);
        let judged = PENALTIES.into_iter().filter_map(|penalty| {
            let error = late.squared_error(&early.solve(penalty)?);
            Some((penalty, error))
        });
        let (penalty, _) = judged.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let judged = early.solve(penalty)?;
        let mut model = Self { layout, standard, coefficients: judged, rows: count, errors: Vec::new() };
        model.errors = model.errors_by_step(&usable, &places);
        let mut whole = early;
        whole.join(&late);
        model.coefficients = whole.solve(penalty)?;
        Some(model)
    }

    /// The forecast after the first `length` values of a history, for at most as many steps as were learned; none
    /// where the history is too short, does not vary, or has other covariates.
    pub(crate) fn forecast(&self, history: &History, length: usize, horizon: usize) -> Option<Forecast> {
        let layout = &self.layout;
        if horizon > layout.horizon || !layout.fits(history) || length < layout.least_past() {
            return None;
        }
        let rows = SeriesRows::ahead(history, length, layout);
        let (mut mean, mut sd) = (Vec::with_capacity(horizon), Vec::with_capacity(horizon));
        for step in 1..=horizon {
            let place = Place { origin: length, step, is_late: false };
            let (frame, mut row) = rows.row(&place)?;
            self.standard.apply(&mut row);
            mean.push(frame.base + frame.scale * self.predict(&row));
            let error = self.errors[(step - 1).min(self.errors.len() - 1)];
            sd.push(DEVIATIONS * error * frame.scale);
        }
        Some(Forecast { mean, sd, shape: Shape::Normal })
    }

    /// Rows that were learned from.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Features of a row.
    pub(crate) fn features(&self) -> usize {
        self.layout.width()
    }

    /// Whether the model takes these covariates and forecasts no further than this.
    pub(crate) fn fits(&self, columns: usize, horizon: usize) -> bool {
        self.layout.columns == columns && self.layout.horizon <= horizon
    }

    fn predict(&self, row: &[f64]) -> f64 {
        let product: f64 = row.iter().zip(&self.coefficients).map(|(value, factor)| value * factor).sum();
        product.clamp(-FURTHEST, FURTHEST)
    }

    /// Mean absolute error of each step at the late places; neighbours stand in where a step has none.
    fn errors_by_step(&self, training_series: &[(&History, usize)], places: &[Vec<Place>]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); self.layout.horizon];
        for ((history, length), places) in training_series.iter().zip(places) {
            let rows = SeriesRows::new(history, *length, &self.layout);
            for place in places.iter().filter(|place| place.is_late) {
                rows.with_row(place, |row, target| {
                    self.standard.apply(row);
                    let (sum, count) = &mut sums[place.step - 1];
                    *sum += (target.clamp(-FURTHEST, FURTHEST) - self.predict(row)).abs();
                    *count += 1.0;
                });
            }
        }
        let (mut total, mut known) = (0.0, 0.0);
        sums.iter()
            .map(|(sum, count)| {
                // Steps that few series have borrow from those before.
                (total, known) = (0.5 * total + sum, 0.5 * known + count);
                if known > 0.0 { total / known } else { 1.0 }
            })
            .collect()
    }
}

/// The usual values of features, from every so many of the places.
fn standard_of(
    training_series: &[(&History, usize)],
    places: &[Vec<Place>],
    layout: &Layout,
    stride: usize,
) -> Standard {
    let mut sample: Vec<f64> = Vec::new();
    let mut passed = 0;
    for ((history, length), places) in training_series.iter().zip(places) {
        let chosen: Vec<&Place> =
            places.iter().skip((stride - passed % stride) % stride).step_by(stride).collect();
        passed += places.len();
        if chosen.is_empty() {
            continue;
        }
        let rows = SeriesRows::new(history, *length, layout);
        for place in chosen {
            rows.with_row(place, |row, _| sample.extend_from_slice(&row[..row.len() - 1]));
        }
    }
    Standard::of(&sample, layout.width())
}

#[cfg(test)]
mod tests;
