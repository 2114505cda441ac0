//! The forecasts of all nodes before reconciliation.

use crate::run::series_forecast::SeriesForecast;

/// Means and quantiles of all nodes, in the order of the tree. Quantiles are stored as distances from the mean, which
/// reconciliation does not change, in single precision relative to the node's largest distance. That halves the memory,
/// and no quantile is known to seven digits.
#[derive(Debug)]
pub(crate) struct BaseForecasts {
    steps: usize,
    levels: usize,
    /// `steps` values per node.
    mean: Vec<f64>,
    /// `steps` times `levels` values per node.
    distances: Vec<f32>,
    /// Unit of the distances of each node.
    units: Vec<f64>,
}

impl BaseForecasts {
    pub(crate) fn with_capacity(nodes: usize, steps: usize, levels: usize) -> Self {
        Self {
            steps,
            levels,
            mean: Vec::with_capacity(nodes * steps),
            distances: Vec::with_capacity(nodes * steps * levels),
            units: Vec::with_capacity(nodes),
        }
    }

    /// Appends the forecast of the next node.
    pub(crate) fn push(&mut self, series_forecast: &SeriesForecast) {
        let levels = self.levels;
        let distances = || {
            series_forecast
                .quantiles
                .iter()
                .enumerate()
                .map(|(at, quantile)| quantile - series_forecast.mean[at / levels])
        };
        let largest = distances().fold(0.0, |largest: f64, distance| largest.max(distance.abs()));
        let unit = if largest > 0.0 { largest } else { 1.0 };
        self.units.push(unit);
        self.distances.extend(distances().map(|distance| (distance / unit) as f32));
        self.mean.extend_from_slice(&series_forecast.mean);
    }

    /// Means of all nodes, step by step within a node.
    pub(crate) fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Takes the means out; [`BaseForecasts::set_mean`] puts them back.
    pub(crate) fn take_mean(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.mean)
    }

    pub(crate) fn set_mean(&mut self, mean: Vec<f64>) {
        self.mean = mean;
    }

    /// The forecast of a node around its current mean; no quantile lies below `floor`.
    pub(crate) fn series_forecast(&self, node: usize, floor: f64) -> SeriesForecast {
        let mean = self.mean[node * self.steps..(node + 1) * self.steps].to_vec();
        let count = self.steps * self.levels;
        let unit = self.units[node];
        let quantiles = self.distances[node * count..(node + 1) * count]
            .iter()
            .enumerate()
            .map(|(at, &distance)| {
                let step = at / self.levels;
                (mean[step] + f64::from(distance) * unit).clamp(floor, f64::MAX)
            })
            .collect();
        SeriesForecast { mean, quantiles, ..SeriesForecast::default() }
    }
}
