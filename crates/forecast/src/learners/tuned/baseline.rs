//! The preset's forecasts of the windows on which a fine-tuned model is judged.

use std::time::{Duration, Instant};

use tabcast_calendar::Micros;
use tabcast_table::{Covariate, CovariateValues, Ids, Panel};

use super::TuneMetrics;
use super::judge::{Judged, LEVELS};
use super::measures::{Measures, quantile_loss};
use crate::dataset::Dataset;
use crate::history::History;
use crate::run::forecaster::Forecaster;
use crate::run::plan::Plan;
use crate::{Config, Control, Failure};

/// Errors of the preset on the windows, each forecast from the values before it, and the windows that it could
/// forecast.
pub(super) fn baseline<'a>(
    judged: &'a [Judged],
    training_series: &[History],
    indices: &[usize],
    dataset: &Dataset,
    config: &Config,
    control: &Control,
    budget: Option<Duration>,
) -> Result<(TuneMetrics, Vec<&'a Judged>), Failure> {
    let config = Config { levels: LEVELS.to_vec(), ..config.clone() };
    let mut measures = Measures::default();
    let mut compared = Vec::new();
    let turns = judged.iter().map(|window| window.turn + 1).max().unwrap_or(0);
    for turn in 0..turns {
        let windows: Vec<&Judged> = judged.iter().filter(|window| window.turn == turn).collect();
        let stamp = |window: &&Judged| {
            training_series[window.series].stamp(window.held_back.start, dataset.frequency)
        };
        let parts: Vec<(usize, Micros)> =
            windows.iter().map(|window| (indices[window.series], stamp(window))).collect();
        let before = Dataset {
            panel: before(&dataset.panel, &parts),
            frequency: dataset.frequency,
            warnings: Vec::new(),
            encoding: dataset.encoding.clone(),
            hierarchy: None,
            own_hash: None,
            added_rows: 0,
            elsewhere: 0,
        };
        let plan = Plan::new(&config, dataset.frequency, before.panel.len(), control);
        let budget = budget.map(|budget| budget / turns as u32);
        let forecaster = Forecaster::prepare(&before, control, plan, Instant::now(), budget)?;
        let forecasts = forecaster.forecast(0..before.panel.len())?;
        for (window, ((history, series_forecast), (_, begin))) in
            windows.into_iter().zip(forecasts.iter().zip(&parts))
        {
            // If the step before the window is missing, the preset's forecast starts earlier.
            if history.future(1, dataset.frequency) != *begin {
                continue;
            }
            for (step, &actual) in window.actual.iter().enumerate() {
                let quantiles = &series_forecast.quantiles[step * LEVELS.len()..][..LEVELS.len()];
                let missed = LEVELS
                    .iter()
                    .zip(quantiles)
                    .map(|(&level, &quantile)| quantile_loss(actual, quantile, level) / LEVELS.len() as f64);
                measures.add(actual, series_forecast.mean[step], missed.sum());
            }
            compared.push(window);
        }
    }
    Ok((measures.metrics(), compared))
}

/// Some series of a panel as they were at a time of their own: later targets are unknown, covariates stay known.
fn before(panel: &Panel, parts: &[(usize, Micros)]) -> Panel {
    let mut ids = Ids::default();
    let (mut offsets, mut timestamps, mut targets, mut rows) = (vec![0], Vec::new(), Vec::new(), Vec::new());
    for &(series, begin) in parts {
        ids.push(panel.ids.get(series));
        let (stamps, values) = panel.series(series);
        timestamps.extend_from_slice(stamps);
        let known = |(stamp, value): (&Micros, &f64)| if *stamp < begin { *value } else { f64::NAN };
        targets.extend(stamps.iter().zip(values).map(known));
        rows.extend(panel.offsets[series]..panel.offsets[series + 1]);
        offsets.push(timestamps.len());
    }
    let pick = |covariate: &Covariate| Covariate {
        name: covariate.name.clone(),
        values: match &covariate.values {
            CovariateValues::Numbers(values) => {
                CovariateValues::Numbers(rows.iter().map(|&row| values[row]).collect())
            }
            CovariateValues::Categories { codes, names } => CovariateValues::Categories {
                codes: rows.iter().map(|&row| codes[row]).collect(),
                names: names.clone(),
            },
            unusable @ CovariateValues::Unusable { .. } => unusable.clone(),
        },
    };
    let covariates = panel.covariates.iter().map(pick).collect();
    Panel {
        ids,
        rows: timestamps.len(),
        offsets,
        timestamps: timestamps.into(),
        targets: targets.into(),
        covariates,
        warnings: Vec::new(),
    }
}
