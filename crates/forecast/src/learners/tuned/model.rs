//! A fine-tuned model, with everything needed to apply it to another dataset.

use std::borrow::Cow;
use std::sync::Arc;

use tabcast_calendar::{Frequency, Micros, Regularity};
use tabcast_table::{ContentError, Kind, Panel, Warning, find_frequency, shorten};

use super::TuneLoss;
use super::heads::{Heads, NAMES, Said};
use crate::combination::blend_weights::NO_BLEND;
use crate::combination::combined_forecast::CombinedForecast;
use crate::combination::weighted_forecast::WeightedForecast;
use crate::covariates::engineered::Recipe;
use crate::covariates::regressors::{Encoding, NamedColumn};
use crate::history::History;
use crate::history::class::Class;
use crate::history::closed::closed_steps;
use crate::intervals::calibration::Calibration;
use crate::intervals::guard::Guard;
use crate::run::members::{constant, damped_drift, last_resort, line};
use crate::run::plan::Plan;
use crate::run::series_forecast::{SeriesForecast, combine};
use crate::run::timers::Timers;
use crate::{Config, Failure};

/// Weights of the members, in the order of [`NAMES`]; they sum to 1.
pub(crate) type MemberWeights = [f64; NAMES.len()];

/// Heads, the setting they were trained for, and how they are combined.
#[derive(Clone, Debug)]
pub(crate) struct TunedModel {
    pub(super) frequency: Frequency,
    /// Number of steps ahead that were trained.
    pub(super) horizon: usize,
    /// Name of the column that is forecast.
    pub(super) target: String,
    pub(super) loss: TuneLoss,
    /// Covariates, as numeric columns.
    pub(super) columns: Vec<NamedColumn>,
    pub(super) recipe: Recipe,
    pub(super) heads: Heads,
    pub(super) weights: MemberWeights,
    /// Calibration of the combination, from its errors on the validation windows.
    pub(super) calibration: Calibration,
    /// Hashes of the ids of all series, ascending.
    pub(super) seen: Vec<u64>,
    /// Hashes of the ids of the training series, in their order.
    pub(super) training_series: Vec<u64>,
}

impl TunedModel {
    /// The model that the request names, if any, and the request adapted to it.
    ///
    /// # Errors
    ///
    /// Errors of [`TunedModel::open`] and [`TunedModel::adapt`].
    pub(crate) fn of(config: &Config) -> Result<(Option<Self>, Cow<'_, Config>), Failure> {
        let Some(path) = &config.model_path else { return Ok((None, Cow::Borrowed(config))) };
        let model = Self::open(path)?;
        let adapted = model.adapt(config)?;
        Ok((Some(model), Cow::Owned(adapted)))
    }

    /// The request adapted to the model.
    ///
    /// # Errors
    ///
    /// The content errors `model_horizon_exceeded` and `model_columns_mismatch`.
    pub(crate) fn adapt(&self, config: &Config) -> Result<Config, Failure> {
        if config.horizon > self.horizon {
            let message = format!(
                "The model was trained for {} steps ahead, and prediction_length is {}.",
                self.horizon, config.horizon
            );
            return Err(ContentError::new("model_horizon_exceeded", Kind::Content, message)
                .suggestion(format!(
                    "Use a prediction_length of at most {}, or train a model for more.",
                    self.horizon
                ))
                .into());
        }
        if config.columns.target != self.target {
            let message = format!(
                "The model forecasts the column '{}', not '{}'.",
                shorten(&self.target),
                shorten(&config.columns.target)
            );
            return Err(self.columns_mismatch(message, &config.columns.target));
        }
        let mut config = config.clone();
        for name in self.covariates() {
            if !config.columns.covariates.contains(&name) {
                config.columns.covariates.push(name);
            }
        }
        Ok(config)
    }

    /// Names of the required covariates, without duplicates.
    pub(crate) fn covariates(&self) -> Vec<String> {
        let mut names: Vec<String> = self.columns.iter().map(|column| column.covariate.clone()).collect();
        names.dedup();
        names
    }

    fn columns_mismatch(&self, message: String, column: &str) -> Failure {
        let covariates = self.covariates();
        let needed = if covariates.is_empty() {
            "no covariates".to_owned()
        } else {
            format!("the covariates {}, known for all steps that are forecast", covariates.join(", "))
        };
        let suggestion = format!("The model needs the target '{}' and {needed}.", self.target);
        ContentError::new("model_columns_mismatch", Kind::Content, message)
            .column(column)
            .suggestion(suggestion)
            .into()
    }

    /// Turns a reader's failure into the model's: a column that only the model asked for is missing.
    pub(crate) fn blame(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Content(error)
                if error.code == "missing_column"
                    && error.column.as_ref().is_some_and(|column| self.covariates().contains(column)) =>
            {
                let column = error.column.clone().unwrap_or_default();
                self.columns_mismatch(error.message, &column)
            }
            other => other,
        }
    }

    /// The frequency of a panel, which must be the model's.
    ///
    /// # Errors
    ///
    /// The content error `model_frequency_mismatch`.
    pub(crate) fn check_frequency(
        &self,
        given: Option<Frequency>,
        column: &str,
        timestamps: &[Micros],
        offsets: &[usize],
    ) -> Result<Regularity, Failure> {
        let alias = self.frequency.alias();
        let mismatch = |message: String| -> Failure {
            ContentError::new("model_frequency_mismatch", Kind::Content, message)
                .column(column)
                .suggestion(format!("Use data with the frequency {alias}, or train a model for this one."))
                .into()
        };
        if let Some(given) = given.filter(|given| *given != self.frequency) {
            return Err(mismatch(format!(
                "The model was trained on data with the frequency {alias}, and freq is {}.",
                given.alias()
            )));
        }
        find_frequency(Some(self.frequency), column, timestamps, offsets).map_err(|error| {
            mismatch(format!("The model was trained on data with the frequency {alias}. {}", error.message))
        })
    }

    /// The model's covariates in a panel.
    ///
    /// # Errors
    ///
    /// The content errors `model_columns_mismatch` and `partial_future_covariate`.
    pub(crate) fn encoding(
        &self,
        panel: &Panel,
        horizon: usize,
        late: impl Fn(usize) -> usize,
    ) -> Result<Encoding, Failure> {
        Encoding::named(&self.columns, panel, self.frequency, horizon, late)?.map_err(|name| {
            let message = format!(
                "The model needs the covariate '{}' as it was in training, with values for the steps that are \
                    forecast.",
                shorten(&name)
            );
            self.columns_mismatch(message, &name)
        })
    }

    /// Warnings for the sender: series that training did not see, and covariates that the model does not use.
    pub(crate) fn warnings(&self, config: &Config, panel: &Panel) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let covariates = self.covariates();
        for name in config.columns.covariates.iter().filter(|name| !covariates.contains(name)) {
            warnings.push(Warning {
                code: "covariate_not_in_model".into(),
                message: format!("The model does not use the covariate '{}'.", shorten(name)),
                count: 1,
            });
        }
        let unseen = panel.ids.iter().filter(|id| self.seen.binary_search(&hash(id)).is_err()).count() as u64;
        if unseen > 0 {
            let message = if unseen == 1 {
                "1 series was not in the data that the model was trained on.".to_owned()
            } else {
                format!("{unseen} series were not in the data that the model was trained on.")
            };
            warnings.push(Warning { code: "unseen_series".into(), message, count: unseen });
        }
        warnings
    }

    /// The features that the model computes for each series.
    pub(crate) fn features(&self) -> Vec<String> {
        self.recipe.names(self.frequency)
    }

    /// The plan of a forecast by this model.
    pub(crate) fn plan(&self, plan: Plan) -> Plan {
        Plan {
            windows: 0,
            history: self.longest_history(),
            recipe: Some(Arc::new(self.recipe.clone())),
            ..plan
        }
    }

    /// Number of steps of a history that the model uses.
    fn longest_history(&self) -> usize {
        const USUAL: usize = 2_500;
        USUAL.max(self.recipe.reach())
    }

    /// Forecasts one series; never fails.
    pub(crate) fn series_forecast(
        &self,
        id: &str,
        history: &History,
        plan: &Plan,
        timers: &Timers,
    ) -> SeriesForecast {
        let values = history.values.as_slice();
        let class = Class::of(values, plan.season, &plan.periods);
        let mut series_forecast = SeriesForecast { class, ..SeriesForecast::default() };
        let guard = Guard::new(values, plan).with_closed(closed_steps(history, values.len(), plan));
        let rule = match class {
            Class::Constant => Some(constant(values[0], plan.horizon)),
            Class::Line => Some(line(values, plan.horizon)),
            _ => None,
        };
        let said = match rule {
            Some(rule) => {
                [const { None }; NAMES.len() - 1].into_iter().chain([Some(rule)]).collect::<Vec<_>>()
            }
            None => self.heads.forecasts(history, values.len(), self.code(id), plan, &guard, timers).to_vec(),
        };
        let mut forecasts = forecasts(&said, &self.weights);
        let fallback;
        if forecasts.is_empty() {
            series_forecast.fell_back = true;
            fallback = if class == Class::Tiny {
                damped_drift(values, plan.horizon)
            } else {
                last_resort(values, class, plan, &guard, timers)
            };
            forecasts.push(WeightedForecast { forecast: &fallback, weight: 1.0 });
        }
        let combined = CombinedForecast::new(forecasts, &[], &NO_BLEND);
        combine(&combined, class, plan, &self.calibration, &guard, &mut series_forecast);
        series_forecast
    }

    /// The number of a series among the training series.
    fn code(&self, id: &str) -> Option<usize> {
        let wanted = hash(id);
        self.training_series.iter().position(|&series| series == wanted)
    }
}

/// The members that have a forecast and a weight; all that have a forecast if none of these has a weight.
pub(super) fn forecasts<'a>(
    said: &'a [Option<tabcast_models::Forecast>],
    weights: &MemberWeights,
) -> Vec<WeightedForecast<'a>> {
    let of = |weight: &dyn Fn(usize) -> f64| -> Vec<WeightedForecast<'a>> {
        let present = said.iter().enumerate();
        present
            .filter_map(|(member, forecast)| {
                Some(WeightedForecast { forecast: forecast.as_ref()?, weight: weight(member) })
            })
            .filter(|member| member.weight > 0.0)
            .collect()
    };
    let chosen = of(&|member| weights[member]);
    if chosen.is_empty() { of(&|_| 1.0) } else { chosen }
}

/// The combined forecast of a window.
pub(super) fn combined<'a>(said: &'a Said, weights: &MemberWeights) -> CombinedForecast<'a> {
    CombinedForecast::new(forecasts(said, weights), &[], &NO_BLEND)
}

/// A 64-bit hash of an id: FNV-1a, mixed so that similar ids get distant hashes.
pub(super) fn hash(id: &str) -> u64 {
    let mut mixed = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    for factor in [0xff51_afd7_ed55_8ccd_u64, 0xc4ce_b9fe_1a85_ec53] {
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(factor);
    }
    mixed ^ (mixed >> 33)
}
