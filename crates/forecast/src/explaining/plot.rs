//! `plot.json`, the data of the plot page, and `forecast_plot.csv` with the same numbers.

use rayon::prelude::*;
use serde::Serialize;
use tabcast_analyses::Texts;
use tabcast_calendar::Micros;
use tabcast_table::TableColumn;

use super::Subject;
use super::grid::Grid;
use crate::Failure;
use crate::combination::held_back::HeldBackForecast;
use crate::run::forecaster::history_of;

/// Maximum length of the axis: series that ended longer before the newest one are not drawn.
const LONGEST_AXIS: usize = 200_000;

/// The file.
#[derive(Serialize)]
pub(crate) struct Plot {
    version: u32,
    freq: String,
    target: String,
    forecast_from: Option<String>,
    axis: Vec<String>,
    quantile_levels: Vec<f64>,
    total_series: usize,
    series: Vec<PlotSeries>,
}

#[derive(Serialize)]
struct PlotSeries {
    item_id: String,
    from: usize,
    history: Vec<f64>,
    #[serde(flatten)]
    forecast: PlotForecast,
    backtest: Option<PlotBacktest>,
}

#[derive(Serialize)]
struct PlotForecast {
    mean: Vec<f64>,
    /// By level, then by step.
    quantiles: Vec<Vec<f64>>,
}

#[derive(Serialize)]
struct PlotBacktest {
    from: usize,
    #[serde(flatten)]
    forecast: PlotForecast,
}

/// A series before the axis is known.
struct Drawn {
    index: usize,
    /// Stamp of the last value of the history.
    end: Micros,
    history: Vec<f64>,
    /// The last window, as far as it lies in the history above: its start in that history, its means and quantiles.
    backtest: Option<(usize, PlotForecast)>,
}

impl PlotForecast {
    /// Takes the steps from `skipped` on out of `quantiles`, which is ordered step by step.
    fn of(mean: &[f64], quantiles: &[f64], levels: usize, skipped: usize) -> Self {
        let by_level = |level: usize| {
            quantiles.iter().skip(skipped * levels + level).step_by(levels.max(1)).copied().collect()
        };
        Self { mean: mean[skipped..].to_vec(), quantiles: (0..levels).map(by_level).collect() }
    }
}

impl Plot {
    /// The largest series with the ends of their histories, their forecasts and the latest backtest.
    pub(crate) fn of(subject: &Subject<'_>, trailing: usize, freq: &str) -> Result<Self, Failure> {
        let Subject { config, dataset, forecaster, kept, .. } = *subject;
        let (horizon, levels) = (config.horizon, config.levels.len());
        let frequency = forecaster.plan().frequency;
        let mut drawn: Vec<Drawn> = kept
            .shown
            .par_iter()
            .map(|&index| draw(index, subject, trailing))
            .collect::<Result<_, Failure>>()?;
        let newest = drawn.iter().map(|drawn| drawn.end).max().unwrap_or(0);
        let oldest = frequency.advance(newest, -(LONGEST_AXIS as i64));
        drawn.retain(|drawn| drawn.end >= oldest);
        let begins = |drawn: &Drawn| frequency.advance(drawn.end, 1 - drawn.history.len() as i64);
        let first = drawn.iter().map(begins).min().unwrap_or(0);
        let grid = Grid::from(first, frequency);
        let ends: Vec<usize> =
            drawn.iter().map(|drawn| grid.place(drawn.end).max(drawn.history.len() - 1)).collect();
        let steps = ends.iter().max().map_or(0, |end| end + 1 + horizon);
        let axis: Vec<String> = (0..steps).map(|place| grid.text(place)).collect();
        let is_common = ends.iter().all(|end| *end == ends[0]);
        let forecast_from = ends.first().filter(|_| is_common).map(|end| axis[end + 1].clone());
        let series = drawn
            .into_iter()
            .zip(&ends)
            .map(|(drawn, &end)| {
                let forecast = kept.forecast(drawn.index);
                let from = end + 1 - drawn.history.len();
                PlotSeries {
                    item_id: dataset.id(drawn.index).to_owned(),
                    from,
                    history: drawn.history,
                    forecast: PlotForecast::of(&forecast.mean, &forecast.quantiles, levels, 0),
                    backtest: drawn.backtest.map(|(at, forecast)| PlotBacktest { from: from + at, forecast }),
                }
            })
            .collect();
        Ok(Self {
            version: 1,
            freq: freq.to_owned(),
            target: config.columns.target.clone(),
            forecast_from,
            axis,
            quantile_levels: config.levels.clone(),
            total_series: dataset.series() + dataset.elsewhere,
            series,
        })
    }

    /// Number of series left out, because there are too many or they ended too long ago.
    pub(crate) fn left_out(&self) -> usize {
        self.total_series - self.series.len()
    }

    /// One row per point of the history, the backtest and the forecast.
    pub(crate) fn table(&self, quantile_columns: Vec<String>) -> Vec<(String, TableColumn)> {
        let levels = self.quantile_levels.len();
        let (mut items, mut stamps, mut kinds) = (Texts::default(), Texts::default(), Texts::default());
        let mut values = Vec::new();
        let mut quantiles = vec![Vec::new(); levels];
        let mut add = |series: &PlotSeries, kind: &str, from: usize, mean: &[f64], of: &[Vec<f64>]| {
            for (step, value) in mean.iter().enumerate() {
                items.push(&series.item_id);
                stamps.push(&self.axis[from + step]);
                kinds.push(kind);
                values.push(*value);
                for (level, column) in quantiles.iter_mut().enumerate() {
                    column.push(of.get(level).map_or(f64::NAN, |of| of[step]));
                }
            }
        };
        for series in &self.series {
            add(series, "history", series.from, &series.history, &[]);
            if let Some(backtest) = &series.backtest {
                let PlotForecast { mean, quantiles } = &backtest.forecast;
                add(series, "backtest", backtest.from, mean, quantiles);
            }
            let PlotForecast { mean, quantiles } = &series.forecast;
            add(series, "forecast", series.from + series.history.len(), mean, quantiles);
        }
        let mut table = vec![
            ("item_id".to_owned(), items.finish()),
            ("timestamp".to_owned(), stamps.finish()),
            ("kind".to_owned(), kinds.finish()),
            ("value".to_owned(), TableColumn::Numbers(values)),
        ];
        table.extend(quantile_columns.into_iter().zip(quantiles.into_iter().map(TableColumn::Numbers)));
        table
    }
}

fn draw(index: usize, subject: &Subject<'_>, trailing: usize) -> Result<Drawn, Failure> {
    let Subject { config, dataset, forecaster, .. } = *subject;
    let plan = forecaster.plan();
    let history = history_of(index, dataset, plan)?;
    let first = history.values.len().saturating_sub(trailing);
    let latest: Option<HeldBackForecast> = forecaster.backtest_of(index).and_then(|backtest| {
        backtest.held_back_forecasts(&history, plan, forecaster.combinations()).into_iter().next()
    });
    let backtest = latest.and_then(|window| {
        let skipped = first.saturating_sub(window.held_back.start);
        let is_shown = skipped < window.mean.len();
        is_shown.then(|| {
            let forecast = PlotForecast::of(&window.mean, &window.quantiles, config.levels.len(), skipped);
            (window.held_back.start + skipped - first, forecast)
        })
    });
    let known = |place: usize| history.observed.get(place).copied().unwrap_or(true);
    Ok(Drawn {
        index,
        end: history.stamp(history.values.len() - 1, plan.frequency),
        history: (first..history.values.len())
            .map(|place| if known(place) { history.values[place] } else { f64::NAN })
            .collect(),
        backtest,
    })
}
