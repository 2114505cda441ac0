//! `survey`: for which places and times covariates from outside are needed.

use std::sync::Arc;

use napi::bindgen_prelude::AsyncTask;
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Config, Control, GridOfSteps, KeptDataset as KeptRows, Options, Survey};

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::options::DatasetOptions;
use crate::task_handle::TaskHandle;

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct SurveyReply {
    /// What is needed.
    pub value: Option<CovariateSurvey>,
    /// What is wrong with the dataset.
    pub error: Option<EngineFailure>,
}

/// The grids of a dataset.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct CovariateSurvey {
    /// Canonical alias of the frequency.
    pub freq: String,
    /// Steps of its first season, at least 1.
    pub season: f64,
    /// Labels of consecutive steps, future ones included: milliseconds since 1970.
    pub axes: Vec<Vec<f64>>,
    /// Parts of the axes, in the order of the file of values.
    pub grids: Vec<CovariateGrid>,
}

/// The steps of series in one place with the same last observation.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct CovariateGrid {
    /// Degrees north; missing: where the request says.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// The axis that it is a part of.
    pub axis: f64,
    /// Its first step there.
    pub first: f64,
    /// Steps up to the last observation, at least 1.
    pub history: f64,
    /// Steps after it.
    pub ahead: f64,
}

impl From<Survey> for CovariateSurvey {
    fn from(Survey { freq, season, axes, grids }: Survey) -> Self {
        const MICROS: f64 = 1000.0;
        Self {
            freq,
            season: season as f64,
            axes: axes
                .into_iter()
                .map(|axis| axis.labels.into_iter().map(|label| label as f64 / MICROS).collect())
                .collect(),
            grids: grids.into_iter().map(CovariateGrid::from).collect(),
        }
    }
}

impl From<GridOfSteps> for CovariateGrid {
    fn from(GridOfSteps { place, axis, first, history, ahead }: GridOfSteps) -> Self {
        Self {
            latitude: place.map(|(latitude, _)| latitude),
            longitude: place.map(|(_, longitude)| longitude),
            axis: axis as f64,
            first: first as f64,
            history: history as f64,
            ahead: ahead as f64,
        }
    }
}

/// A place for the rows of a dataset between its survey and its forecast.
#[napi]
#[derive(Clone, Debug, Default)]
pub struct KeptDataset(KeptRows);

#[napi]
impl KeptDataset {
    /// Holds nothing yet.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }
}

impl KeptDataset {
    /// The options, with this place in them where they have covariates from outside.
    pub(crate) fn within(kept: Option<Self>, mut options: Options) -> Options {
        if let Some(external) = &mut options.external {
            external.kept = kept.map(|kept| kept.0);
        }
        options
    }
}

/// One call of `survey`.
#[derive(Debug)]
pub struct SurveyTask {
    options: Option<(DatasetOptions, KeptDataset)>,
    control: Arc<Control>,
}

impl SurveyTask {
    fn work(&mut self) -> Result<CovariateSurvey, Box<EngineFailure>> {
        let Some((options, kept)) = self.options.take() else {
            return Err(Box::new(EngineFailure::panicked("a task ran twice")));
        };
        guarded(|| {
            let config = Config::resolve(KeptDataset::within(Some(kept), options.options(None)))?;
            tabcast_forecast::survey(&config, &self.control)
        })
        .map(CovariateSurvey::from)
    }
}

#[napi]
impl Task for SurveyTask {
    type Output = SurveyReply;
    type JsValue = SurveyReply;

    fn compute(&mut self) -> napi::Result<SurveyReply> {
        Ok(match self.work() {
            Ok(value) => SurveyReply { value: Some(value), error: None },
            Err(error) => SurveyReply { value: None, error: Some(*error) },
        })
    }

    fn resolve(&mut self, _env: Env, output: SurveyReply) -> napi::Result<SurveyReply> {
        Ok(output)
    }
}

/// Reads the dataset, says for which steps covariates from outside are needed, and leaves the rows in `kept`.
#[napi(catch_unwind)]
pub fn survey(options: DatasetOptions, kept: &KeptDataset, task: &TaskHandle) -> AsyncTask<SurveyTask> {
    AsyncTask::new(SurveyTask { options: Some((options, kept.clone())), control: task.control() })
}
