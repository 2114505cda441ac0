//! The forecasts that are kept for findings, plots and explanations while the table is written.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::grid::Grid;
use crate::Config;
use crate::dataset::Dataset;
use crate::reconciliation::Hierarchy;
use crate::run::forecaster::Forecaster;
use crate::run::series_forecast::SeriesForecast;

/// Maximum number of series in plots.
const MOST_SERIES: usize = 10_000;
/// Maximum number of series with findings: more would take longer than the preset `fast` does.
const JUDGED: usize = 2_000;
/// Maximum amount of numbers held for their forecasts and histories.
const MOST_NUMBERS: usize = 3_000_000;
/// Maximum number of series whose forecasts are explained.
const EXPLAINED: usize = 100;

/// Mean and quantiles of a series.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct KeptForecast {
    pub(crate) mean: Vec<f64>,
    /// Requested levels of the first step, then of the second, and so on.
    pub(crate) quantiles: Vec<f64>,
}

/// The forecasts of the largest series. The choice depends only on the dataset.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// Series or sums to show in plots, largest first.
    pub(crate) shown: Vec<usize>,
    /// Series with findings, without sums, largest first.
    pub(crate) judged: Vec<usize>,
    /// Series or sums to explain: those with a backtest if there are any, largest first.
    pub(crate) explained: Vec<usize>,
    forecasts: BTreeMap<usize, KeptForecast>,
}

/// Steps of the longest history.
fn longest(dataset: &Dataset, forecaster: &Forecaster<'_>) -> usize {
    let (panel, plan) = (&dataset.panel, forecaster.plan());
    let sums = dataset.series() - panel.len();
    let of_sum = |hierarchy: &Hierarchy| (0..sums).map(|sum| hierarchy.sum(sum).len()).max().unwrap_or(0);
    let of_series = |series: usize| {
        let stamps = panel.series(series).0;
        let (Some(first), Some(last)) = (stamps.first(), stamps.last()) else { return 0 };
        // Stamps off the grid are treated as consecutive.
        stamps.len().max(Grid::from(*first, plan.frequency).place(*last) + 1)
    };
    let of_series = (0..panel.len()).into_par_iter().map(of_series).max().unwrap_or(0);
    dataset.hierarchy.as_ref().map_or(0, of_sum).max(of_series).min(plan.history)
}

impl Kept {
    /// Chooses the series whose forecasts are kept.
    pub(crate) fn choose(config: &Config, dataset: &Dataset, forecaster: &Forecaster<'_>) -> Self {
        let volumes: Vec<f64> = (0..dataset.series()).map(|index| dataset.volume(index)).collect();
        let largest = |candidates: &mut dyn Iterator<Item = usize>, most: usize| {
            let mut order: Vec<usize> = candidates.collect();
            let by_volume =
                |&one: &usize, &other: &usize| volumes[other].total_cmp(&volumes[one]).then(one.cmp(&other));
            if most < order.len() {
                order.select_nth_unstable_by(most, by_volume);
                order.truncate(most);
            }
            order.sort_by(by_volume);
            order
        };
        let forecast = 2 * config.horizon * (config.levels.len() + 1);
        let room = |numbers: usize| (MOST_NUMBERS / numbers.max(1)).clamp(1, MOST_SERIES);
        let sums = dataset.series() - dataset.panel.len();
        // The choice for findings does not depend on what a plot shows.
        let judged = room(forecast).min(JUDGED);
        let mut kept = Self { judged: largest(&mut (sums..dataset.series()), judged), ..Self::default() };
        if let Some(explain) = &config.explain {
            if explain.forecast_plot {
                let trailing = explain.trailing(config.horizon);
                let most = room(trailing.min(longest(dataset, forecaster)) + forecast);
                kept.shown = largest(&mut (0..dataset.series()), most);
            }
            let tested = forecaster.backtests();
            kept.explained = if tested.is_empty() {
                largest(&mut (0..dataset.series()), EXPLAINED)
            } else {
                largest(&mut tested.iter().map(|backtest| backtest.index), EXPLAINED)
            };
        }
        let all: BTreeSet<usize> =
            kept.shown.iter().chain(&kept.judged).chain(&kept.explained).copied().collect();
        kept.forecasts = all.into_iter().map(|index| (index, KeptForecast::default())).collect();
        kept
    }

    /// Keeps the forecast of a series, if it was chosen.
    pub(crate) fn keep(&mut self, index: usize, series_forecast: &SeriesForecast) {
        if let Some(kept) = self.forecasts.get_mut(&index) {
            kept.mean.clone_from(&series_forecast.mean);
            kept.quantiles.clone_from(&series_forecast.quantiles);
        }
    }

    /// The series whose forecasts are kept, ascending.
    pub(crate) fn all(&self) -> impl Iterator<Item = usize> + Clone {
        self.forecasts.keys().copied()
    }

    /// The kept forecasts alone, for a part of the run.
    pub(crate) fn into_forecasts(self) -> BTreeMap<usize, KeptForecast> {
        self.forecasts
    }

    /// The series of a part of the run, with the indices that they have there; only their forecasts are of interest.
    pub(crate) fn within(&self, range: &Range<usize>) -> Self {
        let forecasts = self.forecasts.range(range.clone());
        let forecasts = forecasts.map(|(index, _)| (index - range.start, KeptForecast::default()));
        Self { forecasts: forecasts.collect(), ..Self::default() }
    }

    /// The same series with their places among [`Kept::all`], and their forecasts.
    pub(crate) fn renumbered(&self, mut forecasts: BTreeMap<usize, KeptForecast>) -> Self {
        let all: Vec<usize> = self.all().collect();
        let places = |indices: &[usize]| {
            indices.iter().filter_map(|index| all.binary_search(index).ok()).collect::<Vec<usize>>()
        };
        let of = |(place, index): (usize, &usize)| (place, forecasts.remove(index).unwrap_or_default());
        Self {
            shown: places(&self.shown),
            judged: places(&self.judged),
            explained: places(&self.explained),
            forecasts: all.iter().enumerate().map(of).collect(),
        }
    }

    /// The forecast of a series that was chosen.
    pub(crate) fn forecast(&self, index: usize) -> &KeptForecast {
        &self.forecasts[&index]
    }
}
