//! What the engine can be called for: a function a call, and the list of them.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tabcast_forecast::{
    Config, Control, Failure, InspectionOptions, Options, ProfilingOptions, Summary, Survey, TuneConfig,
    TuneOptions, TuneSummary, stages,
};
use tabcast_preparation::Request;
use tabcast_table::{DataProfile, Inspection, Preview, PreviewOptions, Written};

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::kept_dataset::KeptDataset;
use crate::reply::{Checked, read, write};
use crate::requests::{ConvertOptions, ForecastRequest, TabularRequest};
use crate::task_handle::TaskHandle;

#[cfg(feature = "typescript")]
pub(crate) use ts_rs::TS as Typed;

/// What the addon needs to know of a document: nothing. With the feature, its type in TypeScript.
#[cfg(not(feature = "typescript"))]
pub(crate) trait Typed {}
#[cfg(not(feature = "typescript"))]
impl<T> Typed for T {}

/// Something that is shown every call.
pub(crate) trait Visitor {
    /// A call by its name, and what it does.
    fn call<Q, R, F>(&mut self, name: &str, work: fn(Q, &Handles) -> Result<R, F>)
    where
        Q: DeserializeOwned + Typed + 'static,
        R: Serialize + Typed + 'static,
        F: Into<EngineFailure>;
}

/// The list of the calls: what runs them and what writes their types are shown the same functions.
pub(crate) fn visit(visitor: &mut impl Visitor) {
    visitor.call("check", check);
    visitor.call("checkHeader", check_header);
    visitor.call("checkPreparation", check_preparation);
    visitor.call("checkTabular", check_tabular);
    visitor.call("convertTable", convert_table);
    visitor.call("fineTune", fine_tune);
    visitor.call("forecast", forecast);
    visitor.call("inspect", inspect);
    visitor.call("prepare", prepare);
    visitor.call("preview", preview);
    visitor.call("profileData", profile_data);
    visitor.call("survey", survey);
    visitor.call("tabular", tabular);
}

/// What of a call is not in its request.
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

/// The reply of the call with this name.
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
        Q: DeserializeOwned + Typed + 'static,
        R: Serialize + Typed + 'static,
        F: Into<EngineFailure>,
    {
        if name == self.name {
            let work = || work(read(self.request)?, self.handles).map_err(Into::into);
            self.reply = Some(write(guarded(work)));
        }
    }
}

/// What is in a dataset, or what is wrong with it.
fn check(options: Options, handles: &Handles) -> Result<Checked<tabcast_forecast::Profile>, Failure> {
    let (profile, warnings) = tabcast_forecast::check(&Config::resolve(options)?, &handles.control)?;
    Ok(Checked { profile, warnings })
}

/// What is wrong with what stands before the rows of a dataset.
fn check_header(options: Options, handles: &Handles) -> Result<(), Failure> {
    tabcast_forecast::check_header(&Config::resolve(options)?, &handles.control)
}

/// The same, of a dataset that is prepared.
fn check_preparation(request: Request, handles: &Handles) -> Result<(), tabcast_preparation::Failure> {
    tabcast_preparation::check_header(&request.resolve(handles.control.cancel_flag())?)
}

/// What is in a table, or what is wrong with it.
fn check_tabular(
    options: tabcast_tabular::Options,
    handles: &Handles,
) -> Result<Checked<tabcast_tabular::Profile>, tabcast_tabular::Failure> {
    let config = tabcast_tabular::Config::resolve(options)?;
    let (profile, warnings) = tabcast_tabular::check(&config, &handles.control)?;
    Ok(Checked { profile, warnings })
}

/// Another format of a table; the CSV is byte for byte what `forecast` would have written.
fn convert_table(options: ConvertOptions, handles: &Handles) -> Result<Written, Failure> {
    let ConvertOptions { parquet_path, path, format } = options;
    Ok(tabcast_table::convert_parquet(&parquet_path, &path, format, handles.control.cancel_flag())?)
}

/// Trains one model for all series of a dataset and writes it.
fn fine_tune(options: TuneOptions, handles: &Handles) -> Result<TuneSummary, Failure> {
    tabcast_forecast::fine_tune(&TuneConfig::resolve(options)?, &handles.control)
}

/// Reads a dataset, or takes the rows that its survey has kept, forecasts every series and writes the table.
fn forecast(request: ForecastRequest, handles: &Handles) -> Result<Summary, Failure> {
    let ForecastRequest { mut options, output } = request;
    if let Some(external) = &mut options.external {
        external.kept.clone_from(&handles.kept);
    }
    tabcast_forecast::run(&Config::resolve(options)?, &output, &handles.control)
}

/// Every check of a dataset's content, instead of the first thing that is wrong with it.
fn inspect(options: InspectionOptions, handles: &Handles) -> Result<Inspection, Failure> {
    tabcast_forecast::inspect(options, &handles.control)
}

/// Writes the rows of a dataset, filtered, grouped, combined and mended.
fn prepare(
    request: Request,
    handles: &Handles,
) -> Result<tabcast_preparation::Summary, tabcast_preparation::Failure> {
    handles.control.enter(stages::INGEST);
    tabcast_preparation::prepare(&request.resolve(handles.control.cancel_flag())?)
}

/// The beginning of a table. So little is read that a cancel counts only before it begins.
#[expect(clippy::needless_pass_by_value, reason = "a call owns its request")]
fn preview(options: PreviewOptions, handles: &Handles) -> Result<Preview, Failure> {
    if handles.control.is_cancelled() {
        return Err(Failure::Cancelled);
    }
    Ok(tabcast_table::preview(&options)?)
}

/// What is in a file that nobody has said anything about.
fn profile_data(options: ProfilingOptions, handles: &Handles) -> Result<DataProfile, Failure> {
    tabcast_forecast::profile_data(options, &handles.control)
}

/// For which places and steps covariates from outside are needed; the rows are kept.
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
