use std::path::PathBuf;

use serde::Deserialize;

use crate::{Config, Failure, Options};

/// A fine-tuning request.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[ts(rename = "TuningOptions")]
pub struct TuneOptions {
    /// The dataset, its columns and caps, and the forecast settings; the preset is the one the model is compared with.
    pub forecast: Options,
    /// The file to write the model to.
    pub model_path: PathBuf,
    /// The loss that training and combination minimise.
    pub loss: TuneLoss,
    /// Number of horizons at the end of each series on which the model is judged, 1 to 5.
    pub validation_windows: usize,
}

/// [`TuneOptions`] after every check.
#[derive(Clone, Debug)]
pub struct TuneConfig {
    pub(crate) forecast: Config,
    pub(crate) model_path: PathBuf,
    pub(crate) loss: TuneLoss,
    pub(crate) windows: usize,
}

/// The loss that training and combination minimise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(ts_rs::TS)]
#[ts(rename = "TrainingLoss")]
pub enum TuneLoss {
    /// Mean absolute error.
    Mae,
    /// Mean squared error.
    Mse,
    /// Root mean squared error.
    Rmse,
    /// Mean absolute percentage error.
    Mape,
    /// Symmetric mean absolute percentage error.
    Smape,
    /// Weighted quantile loss.
    Wql,
}

const LOSSES: [(&str, TuneLoss); 6] = [
    ("mae", TuneLoss::Mae),
    ("mse", TuneLoss::Mse),
    ("rmse", TuneLoss::Rmse),
    ("mape", TuneLoss::Mape),
    ("smape", TuneLoss::Smape),
    ("wql", TuneLoss::Wql),
];
const MOST_WINDOWS: usize = 5;

impl TuneLoss {
    /// The loss with this name, if there is one.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        LOSSES.iter().find(|(known, _)| *known == name).map(|&(_, loss)| loss)
    }

    /// The name in requests.
    pub(crate) fn name(self) -> &'static str {
        LOSSES.iter().find(|(_, loss)| *loss == self).map_or("", |(name, _)| name)
    }
}

impl TuneConfig {
    /// Checks `options` and fills in the defaults.
    ///
    /// # Errors
    ///
    /// Errors of [`Config::resolve`]; [`Failure::Options`] for 0 or more than 5 windows, and for a hierarchy or a base
    /// model, neither of which fine-tuning supports.
    pub fn resolve(options: TuneOptions) -> Result<Self, Failure> {
        let windows = options.validation_windows;
        if !(1..=MOST_WINDOWS).contains(&windows) {
            return Err(Failure::Options(format!("validation_windows cannot be {windows}")));
        }
        if options.forecast.reconciliation.is_some() || options.forecast.model_path.is_some() {
            return Err(Failure::Options("fine-tuning takes neither a hierarchy nor a model".to_owned()));
        }
        let forecast = Config::resolve(options.forecast)?;
        Ok(Self { forecast, model_path: options.model_path, loss: options.loss, windows })
    }
}
