//! The forecasts that are looked at once more when the table is written.

use std::collections::{BTreeMap, BTreeSet};

use crate::Config;
use crate::dataset::Dataset;
use crate::forecaster::Forecaster;
use crate::outlook::Outlook;

/// Series that plots show, at most.
const MOST_SERIES: usize = 10_000;
/// Series that findings are made of, at most: more would take longer than the preset `fast` does.
const JUDGED: usize = 2_000;
/// Numbers of their forecasts and histories that are held, at most.
const MOST_NUMBERS: usize = 3_000_000;
/// Series whose forecasts are explained, at most.
const EXPLAINED: usize = 100;

/// Mean and quantiles of a series.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptForecast {
    pub(crate) mean: Vec<f64>,
    /// Requested levels of the first step, then of the second, and so on.
    pub(crate) quantiles: Vec<f64>,
}

/// The forecasts of the largest series. Which these are depends on the dataset alone.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Series or sums, the largest first.
    pub(crate) shown: Vec<usize>,
    /// Series alone, the largest first.
    pub(crate) judged: Vec<usize>,
    /// Series or sums whose backtest is known, where any has one; the largest first.
    pub(crate) explained: Vec<usize>,
    forecasts: BTreeMap<usize, KeptForecast>,
}

impl Kept {
    /// Chooses the series whose forecasts will be kept.
    pub(crate) fn choose(config: &Config, dataset: &Dataset, forecaster: &Forecaster<'_>) -> Self {
        let volumes: Vec<f64> = (0..dataset.series()).map(|index| dataset.volume(index)).collect();
        let largest = |candidates: &mut dyn Iterator<Item = usize>, most: usize| {
            let mut order: Vec<usize> = candidates.collect();
            order.sort_by(|&one, &other| volumes[other].total_cmp(&volumes[one]).then(one.cmp(&other)));
            order.truncate(most);
            order
        };
        let trailing = config.explain.as_ref().map_or(0, |explain| explain.trailing(config.horizon));
        let numbers = trailing + 2 * config.horizon * (config.levels.len() + 1);
        let most = (MOST_NUMBERS / numbers).clamp(1, MOST_SERIES);
        let sums = dataset.series() - dataset.panel.len();
        let mut kept =
            Self { judged: largest(&mut (sums..dataset.series()), most.min(JUDGED)), ..Self::default() };
        if let Some(explain) = &config.explain {
            if explain.forecast_plot {
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
    pub(crate) fn keep(&mut self, index: usize, outlook: &Outlook) {
        if let Some(kept) = self.forecasts.get_mut(&index) {
            kept.mean.clone_from(&outlook.mean);
            kept.quantiles.clone_from(&outlook.quantiles);
        }
    }

    /// The forecast of a series that was chosen.
    pub(crate) fn forecast(&self, index: usize) -> &KeptForecast {
        &self.forecasts[&index]
    }
}
