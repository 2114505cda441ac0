//! The part of a run that forecasts all nodes of a hierarchy.

use std::time::Instant;

use rayon::prelude::*;

use super::coherent::{Past, reconcile};
use super::{BaseForecasts, Hierarchy, ReconciliationSummary};
use crate::dataset::Dataset;
use crate::output::forecast_table::ForecastTable;
use crate::run::forecaster::Forecaster;
use crate::run::series_forecast::SeriesForecast;
use crate::run::stages;
use crate::run::tally::Tally;
use crate::{Control, Failure};

/// The inputs and outputs of this part.
#[derive(Clone, Copy)]
pub(crate) struct Nodes<'a> {
    pub(crate) hierarchy: &'a Hierarchy,
    pub(crate) dataset: &'a Dataset,
    pub(crate) forecaster: &'a Forecaster<'a>,
    pub(crate) pool: &'a rayon::ThreadPool,
    pub(crate) control: &'a Control,
}

impl Nodes<'_> {
    /// Forecasts sums and series in one batch, makes them coherent and writes them. Returns the seconds that
    /// reconciliation took, too.
    pub(crate) fn forecast(
        self,
        table: &mut ForecastTable<'_>,
        tally: &mut Tally,
    ) -> Result<(ReconciliationSummary, f64), Failure> {
        let Self { hierarchy, dataset, forecaster, pool, control } = self;
        let plan = forecaster.plan();
        control.enter_units(stages::FIT, hierarchy.len());
        let began = Instant::now();
        let past = pool.install(|| Past::look(hierarchy, dataset, forecaster, control))?;
        let mut seconds = began.elapsed().as_secs_f64();

        let mut base = BaseForecasts::with_capacity(hierarchy.len(), plan.horizon, plan.requested.len());
        for chunk in table.chunks(0..hierarchy.len()) {
            let forecasts = pool.install(|| forecaster.forecast(chunk))?;
            tally.add_all(&forecasts);
            for (_, series_forecast) in &forecasts {
                base.push(series_forecast);
            }
        }

        control.enter(stages::RECONCILE);
        let began = Instant::now();
        let summary = pool.install(|| reconcile(hierarchy, &mut base, &past, plan.horizon))?;
        seconds += began.elapsed().as_secs_f64();

        let ending = hierarchy.ending();
        let floor = if hierarchy.non_negative { 0.0 } else { -f64::MAX };
        for chunk in table.chunks(0..hierarchy.len()) {
            if control.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            let series_forecasts: Vec<SeriesForecast> = pool.install(|| {
                chunk.clone().into_par_iter().map(|node| base.series_forecast(node, floor)).collect()
            });
            table.write(chunk, series_forecasts.iter().map(|series_forecast| (&ending, series_forecast)))?;
        }
        Ok((summary, seconds))
    }
}
