//! A run: from a file to predictions, metrics and a report.

use std::time::Instant;

use serde::Serialize;
use tabcast_analyses::Folder;
use tabcast_table::Warning;

use crate::explaining::{Subject, write_analyses};
use crate::output::{Output, write};
use crate::plan::Plan;
use crate::prediction::predict;
use crate::report::Report;
use crate::stages;
use crate::timers::Timers;
use crate::{Config, Control, Failure, InferenceMode, ProblemType};

/// The outcome of a run; the rows are in the files.
#[derive(Debug)]
pub struct Summary {
    /// The complete report, as in `report.json`.
    pub report: Report,
    /// Resolved problem type.
    pub problem_type: ProblemType,
    /// Resolved inference mode.
    pub inference_mode: InferenceMode,
    /// Whether the CSV was written.
    pub csv_written: bool,
}

/// What a table contains, as far as a job needs to know.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ts_rs::TS)]
#[ts(rename = "TabularProfile")]
pub struct Profile {
    /// Number of data rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Number of rows with a label.
    pub labeled_rows: usize,
    /// Number of classes; 0 for a regression. None in profiles of earlier releases.
    #[ts(optional)]
    pub classes: Option<usize>,
}

/// Reads the table and describes it without learning; the service answers with this before it accepts a job.
///
/// # Errors
/// The same content errors that [`run`] would end with.
pub fn check(config: &Config, control: &Control) -> Result<(Profile, Vec<Warning>), Failure> {
    in_pool(config.threads, || {
        let plan = Plan::make(config, control, &mut Timers::default())?;
        let profile = Profile {
            rows: plan.frame.rows,
            columns: plan.frame.names.len(),
            labeled_rows: plan.labels.labelled.len(),
            classes: Some(plan.labels.classes.len()),
        };
        Ok((profile, plan.warnings))
    })
}

/// Learns from the table, predicts, evaluates and writes the files of `output`.
///
/// # Errors
/// [`Failure::Content`] for faults that the sender can correct; no files are left behind then.
pub fn run(config: &Config, output: &Output, control: &Control) -> Result<Summary, Failure> {
    in_pool(config.threads, || {
        let began = Instant::now();
        let deadline = config.budget.map(|budget| began + budget.mul_f64(0.85));
        let mut timers = Timers::default();
        let plan = Plan::make(config, control, &mut timers)?;
        let predicted = predict(&plan, config, control, deadline, &mut timers)?;
        if let (Some(path), Some(options)) = (&output.analyses_dir, &config.explain) {
            control.enter(stages::EXPLAIN);
            let folder = Folder { path, max_csv_bytes: output.max_csv_bytes, cancel: control.cancel_flag() };
            let left = config.budget.map(|budget| budget.saturating_sub(began.elapsed()));
            let subject = Subject { plan: &plan, predicted: &predicted, options };
            timers.time("explain", || write_analyses(folder, &subject, config.budget, left))?;
        }
        control.enter(stages::WRITE);
        let (problem_type, inference_mode) = (plan.labels.problem, plan.mode);
        let (report, csv_written) = write(&plan, &predicted, config, output, control, timers)?;
        Ok(Summary { report, problem_type, inference_mode, csv_written })
    })
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("tabular-{index}"))
        .build()
        .map_err(|error| Failure::Io { during: "starting threads", source: std::io::Error::other(error) })?;
    pool.install(work)
}
