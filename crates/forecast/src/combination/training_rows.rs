//! Training rows for the shipped prior weights (`prior`).

use std::io::{self, Write};

use crate::backtest::backtest;
use crate::dataset::Dataset;
use crate::learners::global::GlobalPanel;
use crate::run::forecaster::{history_of, learn_pooled};
use crate::run::plan::Plan;
use crate::run::timers::Timers;
use crate::{Config, Control, Failure, Timings};

/// Writes one JSON line per backtest window of every series: the class, the features of the past before the window, the
/// unit of its scaled errors, the actual values, and each member's forecast (null where it did not apply).
///
/// Meant for files that lack the part of the data on which results are reported.
///
/// # Errors
///
/// Errors of reading the dataset and of writing to `out`.
pub fn write_training_rows(config: &Config, windows: usize, out: &mut impl Write) -> Result<(), Failure> {
    let control = Control::new();
    let dataset = Dataset::load(config, &control, &mut Timings::default())?;
    let series = dataset.panel.len();
    let plan = Plan { windows, ..Plan::new(config, dataset.frequency, series, &control) };
    let pooled = learn_pooled(&dataset, &control, &plan, &|| false)?;
    for index in 0..series {
        let history = history_of(index, &dataset, &plan)?;
        let found = backtest(index, &history, &plan, &pooled, &GlobalPanel::default(), &Timers::default());
        for window in found.windows {
            let members: Vec<_> =
                window.members.iter().map(|member| member.as_ref().map(|forecast| &forecast.mean)).collect();
            let row = serde_json::json!({
                "class": found.class,
                "names": plan.preset.members(found.class),
                "features": window.features,
                "scale": window.scale,
                "actual": window.actual,
                "members": members,
            });
            let line = serde_json::to_string(&row)
                .map_err(|error| Failure::io("writing training rows")(io::Error::other(error)))?;
            writeln!(out, "{line}").map_err(Failure::io("writing training rows"))?;
        }
    }
    Ok(())
}
