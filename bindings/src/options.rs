//! What `check` and `forecast` are given.

use std::path::PathBuf;
use std::time::Duration;

use napi_derive::napi;
use tabcast_forecast::{Config, Failure, Options};
use tabcast_table::{Columns, HierarchyColumns, Limits};

/// A dataset and what is to be forecast from it.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct DatasetOptions {
    /// The dataset: local files, which are one table in this order.
    pub input_paths: Vec<String>,
    /// `csv`, `json`, `jsonl`, `parquet`, `xls` or `xlsx`.
    pub format: String,
    /// `gzip` or `zstd`, of files that are text; missing: none.
    pub compression: Option<String>,
    /// Which sheet of a spreadsheet; missing: the first.
    pub sheet: Option<String>,
    /// What to forecast.
    pub spec: SpecOptions,
    /// How the forecasts are made to add up over a hierarchy; missing: they are not.
    pub reconciliation: Option<ReconciliationOptions>,
    /// Features that models of all series learn from; missing: those that the presets choose themselves.
    pub feature_engineering: Option<FeatureEngineeringOptions>,
    /// Analyses of the forecast; missing: none.
    pub explain: Option<ExplainOptions>,
    /// Covariates that are not in the file; missing: none.
    pub external: Option<ExternalCovariateOptions>,
    /// A model that `fineTune` wrote; then the preset is not looked at. Missing: the preset.
    pub model_path: Option<String>,
    /// Whether a model is to be trained from the dataset: then covariates need not reach over the horizon. Missing: no.
    pub training: Option<bool>,
    /// Caps.
    pub limits: LimitOptions,
    /// Threads of this call; results do not depend on it.
    pub threads: u32,
}

/// Covariates that are not in the file.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct ExternalCovariateOptions {
    /// Column that says how far north a series is, in degrees; missing, as the next: all are in one place.
    pub latitude_column: Option<String>,
    /// Column that says how far east.
    pub longitude_column: Option<String>,
    /// The file of values on the grids of `survey`; missing: there are none yet.
    pub values_path: Option<String>,
}

/// A forecast with every default resolved.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct SpecOptions {
    /// Steps.
    pub prediction_length: u32,
    /// `fast`, `balanced` or `best`.
    pub preset: String,
    /// Which columns play which role.
    pub columns: ColumnOptions,
    /// Pandas alias; missing: inferred.
    pub freq: Option<String>,
    /// Each strictly between 0 and 1.
    pub quantile_levels: Vec<f64>,
    /// `pandas` or `iso8601`.
    pub timestamp_format: String,
    /// `raw` or `prefixed`.
    pub quantile_column_style: String,
}

/// Column names.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct ColumnOptions {
    /// Which series a row belongs to.
    pub item_id: String,
    /// When it was observed.
    pub timestamp: String,
    /// What was observed.
    pub target: String,
    /// What may explain it, and is known for the steps that are forecast.
    pub covariates: Vec<String>,
}

/// A reconciliation with every default resolved.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct ReconciliationOptions {
    /// Grouping columns from the top to the bottom; empty: item ids are split at the separator.
    pub hierarchy_columns: Vec<String>,
    /// `bottom_up`, `top_down` or `min_trace`.
    pub method: String,
    /// Of `min_trace`: `ols`, `wls_struct`, `wls_var` or `shrink`.
    pub weights: String,
    /// Of `top_down`: `proportions_of_historical_totals`, `average_historical_proportions` or `forecast_proportions`.
    pub top_down_method: String,
    /// Joins the groups to the id of a series.
    pub separator: String,
    /// Item id of the grand total.
    pub total_label: String,
    /// Windows of the backtest of `wls_var` and `shrink`.
    pub residual_windows: u32,
}

/// Features of calendar and past with every default resolved; numbers are steps, 1 to 10,000.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the switches of the block")]
pub struct FeatureEngineeringOptions {
    /// Year, quarter, month, week, day and hour as numbers.
    pub time_features: bool,
    /// The same as sines and cosines.
    pub cyclical_encoding: bool,
    /// Values some steps before the step that is forecast.
    pub lag_features: bool,
    /// How many steps before.
    pub lag_periods: Vec<u32>,
    /// Statistics of the last values.
    pub rolling_features: bool,
    /// Of how many.
    pub rolling_windows: Vec<u32>,
    /// `mean`, `std`, `min` or `max`.
    pub rolling_stats: Vec<String>,
    /// Relative changes of the last value.
    pub growth_features: bool,
    /// Against how many steps before it.
    pub growth_periods: Vec<u32>,
    /// Weekend; first and last day of month, quarter and year.
    pub event_flags: bool,
}

/// Analyses of a forecast or a table with every default resolved.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "the switches of the block")]
pub struct ExplainOptions {
    /// Which features the result rests on.
    pub feature_importance: bool,
    /// The same, row by row.
    pub shap: bool,
    /// How features go together.
    pub feature_feature_correlations: bool,
    /// How each feature goes with the target.
    pub feature_target_correlations: bool,
    /// What the plot of the forecast is made of.
    pub forecast_plot: bool,
    /// Regressions in moving windows.
    pub rolling_regression: bool,
    /// Whether the operator allows them.
    pub rolling_regression_allowed: bool,
    /// Steps of the history that the plot shows; missing: twice the horizon, at most 120.
    pub trailing_history_steps: Option<u32>,
    /// Rows that an analysis looks at, at least 50.
    pub max_rows: u32,
    /// Features that an analysis looks at, at least 1.
    pub max_features: u32,
    /// Features that are told of a row in detail, at least 1.
    pub top_k_features: u32,
    /// Rows whose Shapley values are told, at least 1.
    pub shap_sample_size: u32,
}

/// Columns that say which series a row belongs to, instead of the item id column.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct HierarchyOptions {
    /// From the top of the hierarchy to its bottom.
    pub columns: Vec<String>,
    /// Joins their values to the id of a series.
    pub separator: String,
    /// Item id of the grand total.
    pub total_label: String,
}

impl From<ReconciliationOptions> for tabcast_forecast::ReconciliationOptions {
    fn from(options: ReconciliationOptions) -> Self {
        Self {
            hierarchy_columns: options.hierarchy_columns,
            method: options.method,
            weights: options.weights,
            top_down_method: options.top_down_method,
            separator: options.separator,
            total_label: options.total_label,
            residual_windows: options.residual_windows,
        }
    }
}

impl From<FeatureEngineeringOptions> for tabcast_forecast::FeatureEngineering {
    fn from(options: FeatureEngineeringOptions) -> Self {
        let steps = |list: Vec<u32>| list.into_iter().map(|steps| steps as usize).collect();
        Self {
            enabled: true,
            time_features: options.time_features,
            cyclical_encoding: options.cyclical_encoding,
            lag_features: options.lag_features,
            lag_periods: steps(options.lag_periods),
            rolling_features: options.rolling_features,
            rolling_windows: steps(options.rolling_windows),
            rolling_stats: options.rolling_stats,
            growth_features: options.growth_features,
            growth_periods: steps(options.growth_periods),
            event_flags: options.event_flags,
        }
    }
}

impl From<ExternalCovariateOptions> for tabcast_forecast::ExternalOptions {
    fn from(options: ExternalCovariateOptions) -> Self {
        Self {
            location_columns: options.latitude_column.zip(options.longitude_column).map(<[String; 2]>::from),
            values_path: options.values_path.map(PathBuf::from),
            kept: None,
        }
    }
}

impl From<ExplainOptions> for tabcast_forecast::ExplainOptions {
    fn from(options: ExplainOptions) -> Self {
        Self {
            feature_importance: options.feature_importance,
            shap: options.shap,
            feature_feature_correlations: options.feature_feature_correlations,
            feature_target_correlations: options.feature_target_correlations,
            forecast_plot: options.forecast_plot,
            rolling_regression: options.rolling_regression,
            rolling_regression_allowed: options.rolling_regression_allowed,
            trailing_history_steps: options.trailing_history_steps.map(|steps| steps as usize),
            max_rows: options.max_rows as usize,
            max_features: options.max_features as usize,
            top_k_features: options.top_k_features as usize,
            shap_sample_size: options.shap_sample_size as usize,
        }
    }
}

impl From<HierarchyOptions> for HierarchyColumns {
    fn from(options: HierarchyOptions) -> Self {
        Self { columns: options.columns, separator: options.separator, total_label: options.total_label }
    }
}

/// Caps; counts.
#[napi(object, object_to_js = false)]
#[derive(Debug)]
pub struct LimitOptions {
    /// Data rows.
    pub max_rows: f64,
    /// Columns of the file.
    pub max_columns: f64,
    /// Distinct items.
    pub max_series: f64,
    /// Characters of a cell.
    pub max_cell_chars: f64,
    /// Horizon times series.
    pub max_forecast_points: f64,
    /// Of the forecast table as CSV.
    pub max_output_bytes: f64,
}

impl DatasetOptions {
    /// Hands everything over to the one place that checks it; `budget` is the wall clock that a run should keep to.
    pub(crate) fn resolve(self, budget: Option<Duration>) -> Result<Config, Failure> {
        Config::resolve(self.options(budget))
    }

    /// The same, not yet checked.
    pub(crate) fn options(self, budget: Option<Duration>) -> Options {
        let Self { spec, limits, .. } = self;
        Options {
            input_paths: self.input_paths.into_iter().map(PathBuf::from).collect(),
            format: self.format,
            compression: self.compression,
            sheet: self.sheet,
            columns: Columns {
                item_id: spec.columns.item_id,
                timestamp: spec.columns.timestamp,
                target: spec.columns.target,
                covariates: spec.columns.covariates,
                // `Config::resolve` takes them from the reconciliation.
                hierarchy: None,
            },
            prediction_length: spec.prediction_length as usize,
            preset: spec.preset,
            freq: spec.freq,
            quantile_levels: spec.quantile_levels,
            timestamp_format: spec.timestamp_format,
            quantile_column_style: spec.quantile_column_style,
            limits: Limits {
                max_rows: limits.max_rows as u64,
                max_columns: limits.max_columns as usize,
                max_series: limits.max_series as usize,
                max_cell_chars: limits.max_cell_chars as usize,
                stop_after: None,
            },
            max_forecast_points: limits.max_forecast_points as u64,
            max_output_bytes: limits.max_output_bytes as u64,
            threads: self.threads as usize,
            budget,
            reconciliation: self.reconciliation.map(Into::into),
            feature_engineering: self.feature_engineering.map(Into::into),
            explain: self.explain.map(Into::into),
            external: self.external.map(Into::into),
            model_path: self.model_path.map(PathBuf::from),
            is_training: self.training.unwrap_or(false),
            global_member: true,
        }
    }
}
