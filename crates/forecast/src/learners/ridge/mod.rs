//! One linear model for all series of a panel, on the features that a request names.
//!
//! A row is a series, an origin and a step after it. Its target is the value of that step minus the value a whole
//! number of seasons before, in units of the usual seasonal difference, so that rows of all series are alike. The fit
//! is a ridge regression (Hoerl and Kennard, Technometrics 12, 1970) on standardised features; a missing feature takes
//! its mean. The penalty is the one with the smallest error on the last stretch of each series. Only sums of products
//! are kept of the rows, so memory does not grow with them.

mod normal;
mod rows;
mod standard;
mod stored;

use normal::Normal;
use rayon::prelude::*;
use rows::{Place, SeriesRows, places};
use serde::{Deserialize, Serialize};
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
/// Maximum number of rows, and of products of features to add up, which decides the time.
const MOST_ROWS: usize = 100_000;
const MOST_PRODUCTS: usize = 1_000_000_000;
/// Number of rows used to standardise the features.
const STANDARD_ROWS: usize = 4_000;
/// Penalties that are tried, as fractions of the number of rows; the largest leaves little more than the seasonal
/// value.
const PENALTIES: [f64; 7] = [1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0];
/// Targets and forecasts are clipped at this many usual seasonal differences.
const FURTHEST: f64 = 15.0;
/// Number of series that one task adds up. The result depends on it, so it is independent of the number of threads.
const CHUNK: usize = 64;
/// The standard deviation of a normal distribution in units of its mean absolute deviation.
const DEVIATIONS: f64 = 1.253_314_137_315_5;

/// What rows consist of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Layout {
    pub(crate) recipe: Recipe,
    pub(crate) frequency: Frequency,
    /// Season of the base, 1 for none.
    pub(crate) season: usize,
    pub(crate) horizon: usize,
    /// Number of covariate columns.
    pub(crate) columns: usize,
}

/// Coefficients for all series, with everything needed to apply them to a history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RidgeModel {
    layout: Layout,
    standard: Standard,
    /// One per feature, then the constant.
    coefficients: Vec<f64>,
    /// Number of training rows.
    rows: usize,
    /// Mean absolute error by step, in usual seasonal differences; the last one holds for all later steps.
    errors: Vec<f64>,
}

impl Layout {
    /// The layout for a task and its training histories.
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
    /// Trains on the first values of some histories. None if they are too few or too short, or once `stop` is set.
    /// Deterministic for any number of threads.
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

    /// The forecast after the first `length` values of a history, for at most as many steps as were trained; none if
    /// the history is too short, does not vary, or has other covariates.
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

    /// Number of training rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of features of a row.
    pub(crate) fn features(&self) -> usize {
        self.layout.width()
    }

    /// Whether the model takes these covariates and was trained for a horizon of at least this length.
    pub(crate) fn fits(&self, columns: usize, horizon: usize) -> bool {
        self.layout.columns == columns && self.layout.horizon <= horizon
    }

    fn predict(&self, row: &[f64]) -> f64 {
        let product: f64 = row.iter().zip(&self.coefficients).map(|(value, factor)| value * factor).sum();
        product.clamp(-FURTHEST, FURTHEST)
    }

    /// Mean absolute error of each step on the late rows; each step also takes a share of the steps before it.
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
                // Steps with few series borrow from the steps before.
                (total, known) = (0.5 * total + sum, 0.5 * known + count);
                if known > 0.0 { total / known } else { 1.0 }
            })
            .collect()
    }
}

/// Location and scale of the features, from an evenly spaced sample of the places.
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
