//! The calls of the engine: one function per call, and the list of them.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tabcast_forecast::{
    Config, Control, Failure, InspectionOptions, Options, Planned, ProfilingOptions, ShardOptions,
    ShardSummary, Summary, Survey, TuneConfig, TuneOptions, TuneSummary, stages,
};
use tabcast_preparation::Request;
use tabcast_table::{DataProfile, Inspection, Preview, PreviewOptions, Written};
use ts_rs::TS;

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::kept_dataset::KeptDataset;
use crate::reply::{Checked, read, write};
use crate::requests::{ConvertOptions, ForecastRequest, JoinRequest, PlanRequest, TabularRequest};
use crate::task_handle::TaskHandle;

/// Visits every call.
pub(crate) trait Visitor {
    /// Visits a call by its name and its function.
    fn call<Q, R, F>(&mut self, name: &str, work: fn(Q, &Handles) -> Result<R, F>)
    where
        Q: DeserializeOwned + TS + 'static,
        R: Serialize + TS + 'static,
        F: Into<EngineFailure>;
}

/// The list of the calls. Running calls and writing their types both use this list, so they see the same functions.
pub(crate) fn visit(visitor: &mut impl Visitor) {
    visitor.call("check", check);
    visitor.call("checkHeader", check_header);
    visitor.call("checkPreparation", check_preparation);
    visitor.call("checkTabular", check_tabular);
    visitor.call("convertTable", convert_table);
    visitor.call("fineTune", fine_tune);
    visitor.call("forecast", forecast);
    visitor.call("forecastShard", forecast_shard);
    visitor.call("inspect", inspect);
    visitor.call("joinShards", join_shards);
    visitor.call("planShards", plan_shards);
    visitor.call("prepare", prepare);
    visitor.call("preview", preview);
    visitor.call("profileData", profile_data);
    visitor.call("survey", survey);
    visitor.call("tabular", tabular);
}

/// The parts of a call that are not in its request.
#[derive(Debug)]
pub(crate) struct Handles {
    control: Arc<Control>,
    kept: Option<tabcast_forecast::KeptDataset>,
}

impl Handles {
    pub(crate) fn new(task: &TaskHandle, kept: Option<&KeptDataset>) -> Self {
        let kept = kept.map(|kept| kept.0.clone());
        Self { control: task.control(), kept }
    }
}

/// The reply to the call with this name.
pub(crate) fn answer(name: &str, request: &str, handles: &Handles) -> String {
    let mut call = CallByName { name, request, handles, reply: None };
    visit(&mut call);
    let unknown = || write::<()>(Err(EngineFailure::failed(format!("The engine has no call {name:?}."))));
    call.reply.unwrap_or_else(unknown)
}

struct CallByName<'a> {
    name: &'a str,
    request: &'a str,
    handles: &'a Handles,
    reply: Option<String>,
}

impl Visitor for CallByName<'_> {
    fn call<Q, R, F>(&mut self, name: &str, work: fn(Q, &Handles) -> Result<R, F>)
    where
        Q: DeserializeOwned + TS + 'static,
        R: Serialize + TS + 'static,
        F: Into<EngineFailure>,
    {
        if name == self.name {
            let work = || work(read(self.request)?, self.handles).map_err(Into::into);
            self.reply = Some(write(guarded(work)));
        }
    }
}

/// Describes a dataset, or returns its error.
fn check(options: Options, handles: &Handles) -> Result<Checked<tabcast_forecast::Profile>, Failure> {
    let (profile, warnings) = tabcast_forecast::check(&Config::resolve(options)?, &handles.control)?;
    Ok(Checked { profile, warnings })
}

/// Checks what comes before the rows of a dataset.
fn check_header(options: Options, handles: &Handles) -> Result<(), Failure> {
    tabcast_forecast::check_header(&Config::resolve(options)?, &handles.control)
}

/// The same for a dataset that will be prepared.
fn check_preparation(request: Request, handles: &Handles) -> Result<(), tabcast_preparation::Failure> {
    tabcast_preparation::check_header(&request.resolve(handles.control.cancel_flag())?)
}

/// Describes a table, or returns its error.
fn check_tabular(
    options: tabcast_tabular::Options,
    handles: &Handles,
) -> Result<Checked<tabcast_tabular::Profile>, tabcast_tabular::Failure> {
    let config = tabcast_tabular::Config::resolve(options)?;
    let (profile, warnings) = tabcast_tabular::check(&config, &handles.control)?;
    Ok(Checked { profile, warnings })
}

/// Converts a table to another format; the CSV is byte for byte what `forecast` would have written.
fn convert_table(options: ConvertOptions, handles: &Handles) -> Result<Written, Failure> {
    let ConvertOptions { parquet_path, path, format } = options;
    Ok(tabcast_table::convert_parquet(&parquet_path, &path, format, handles.control.cancel_flag())?)
}

/// Trains a fine-tuned model on all series of a dataset and writes it.
fn fine_tune(options: TuneOptions, handles: &Handles) -> Result<TuneSummary, Failure> {
    tabcast_forecast::fine_tune(&TuneConfig::resolve(options)?, &handles.control)
}

/// Reads a dataset, or takes the rows that its survey kept, forecasts every series and writes the table.
fn forecast(request: ForecastRequest, handles: &Handles) -> Result<Summary, Failure> {
    let ForecastRequest { mut options, output } = request;
    if let Some(external) = &mut options.external {
        external.kept.clone_from(&handles.kept);
    }
    tabcast_forecast::run(&Config::resolve(options)?, &output, &handles.control)
}

/// Forecasts one shard of a plan.
#[expect(clippy::needless_pass_by_value, reason = "a call owns its request")]
fn forecast_shard(options: ShardOptions, handles: &Handles) -> Result<ShardSummary, Failure> {
    tabcast_forecast::forecast_shard(&options, &handles.control)
}

/// Runs every check of a dataset's content, instead of stopping at the first fault.
fn inspect(options: InspectionOptions, handles: &Handles) -> Result<Inspection, Failure> {
    tabcast_forecast::inspect(options, &handles.control)
}

/// Puts the parts of all shards together, explains the forecasts and writes the report.
#[expect(clippy::needless_pass_by_value, reason = "a call owns its request")]
fn join_shards(request: JoinRequest, handles: &Handles) -> Result<Summary, Failure> {
    tabcast_forecast::join(&request.options, &request.output, &handles.control)
}

/// Reads a dataset and plans its forecast in shards; does the whole forecast if there is a single shard.
fn plan_shards(request: PlanRequest, handles: &Handles) -> Result<Planned, Failure> {
    let PlanRequest { mut options, output, folder } = request;
    if let Some(external) = &mut options.external {
        external.kept.clone_from(&handles.kept);
    }
    tabcast_forecast::plan(&Config::resolve(options)?, &output, &folder, &handles.control)
}

/// Writes the rows of a dataset after filtering, grouping, combining, and handling anomalies and gaps.
fn prepare(
    request: Request,
    handles: &Handles,
) -> Result<tabcast_preparation::Summary, tabcast_preparation::Failure> {
    handles.control.enter(stages::INGEST);
    tabcast_preparation::prepare(&request.resolve(handles.control.cancel_flag())?)
}

/// Reads the beginning of a table. It reads so little that a cancel only has an effect before the start.
#[expect(clippy::needless_pass_by_value, reason = "a call owns its request")]
fn preview(options: PreviewOptions, handles: &Handles) -> Result<Preview, Failure> {
    if handles.control.is_cancelled() {
        return Err(Failure::Cancelled);
    }
    Ok(tabcast_table::preview(&options)?)
}

/// Describes a file whose columns have no roles yet.
fn profile_data(options: ProfilingOptions, handles: &Handles) -> Result<DataProfile, Failure> {
    tabcast_forecast::profile_data(options, &handles.control)
}

/// Finds the locations and steps that need external covariates; the rows are kept.
fn survey(mut options: Options, handles: &Handles) -> Result<Survey, Failure> {
    if let Some(external) = &mut options.external {
        external.kept.clone_from(&handles.kept);
    }
    tabcast_forecast::survey(&Config::resolve(options)?, &handles.control)
}

/// Learns from the labelled rows of a table, predicts, and writes predictions, metrics and report.
fn tabular(
    request: TabularRequest,
    handles: &Handles,
) -> Result<tabcast_tabular::Finished, tabcast_tabular::Failure> {
    let config = tabcast_tabular::Config::resolve(request.options)?;
    Ok(tabcast_tabular::run(&config, &request.output, &handles.control)?.into())
}
