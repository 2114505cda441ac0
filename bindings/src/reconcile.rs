//! `reconcile`: forecasts that add up.

use std::sync::Arc;

use napi::bindgen_prelude::{AsyncTask, Float64Array, Int32Array};
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::{Control, Failure};
use tabcast_reconcile::{Choice, Counts, Inputs, Reconciled, Residuals, Tree, reconcile as reconcile_values};

use crate::failure::EngineFailure;
use crate::guarded::guarded;
use crate::task_handle::TaskHandle;

/// What to reconcile, and how. The arrays are copied before the call returns.
#[napi(object, object_to_js = false)]
pub struct ReconcileOptions {
    /// One a node, each before its children; -1 for the first, the root.
    pub parents: Int32Array,
    /// Base forecasts: nodes x steps, node by node.
    pub base: Float64Array,
    /// Steps of the horizon.
    pub steps: u32,
    /// `bottom_up`, `top_down` or `min_trace`.
    pub method: String,
    /// Of `min_trace`: `ols`, `wls_struct`, `wls_var` or `shrink`.
    pub weights: Option<String>,
    /// Of `top_down`: `proportions_of_historical_totals`, `average_historical_proportions` or `forecast_proportions`.
    pub top_down_method: Option<String>,
    /// For `top_down`: one a leaf, in the order of the nodes; any scale.
    pub shares: Option<Float64Array>,
    /// For `wls_var`: one a node; missing: from `residuals`.
    pub variances: Option<Float64Array>,
    /// For `wls_var` and `shrink`: errors of base forecasts, as many a node, node by node, NaN where one is missing.
    pub residuals: Option<Float64Array>,
    /// No value may come out below zero.
    pub non_negative: bool,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct ReconcileReply {
    /// The forecasts that add up.
    pub value: Option<ReconciledForecasts>,
    /// Why there are none.
    pub error: Option<EngineFailure>,
}

/// Forecasts that add up, and what it took.
#[napi(object, object_from_js = false)]
pub struct ReconciledForecasts {
    /// Nodes x steps, node by node.
    pub values: Float64Array,
    /// The largest |parent - sum of its children| of the base forecasts.
    pub max_incoherence_before: f64,
    /// The same of `values`: a rounding error.
    pub max_incoherence_after: f64,
    /// How far `shrink` drew the covariance towards its diagonal, 0 to 1.
    pub shrinkage: Option<f64>,
    /// What was put right or given up.
    pub counts: ReconciliationCounts,
}

/// How often something was put right or given up.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct ReconciliationCounts {
    /// Variances below 1e-10 of the median that were raised to that.
    pub floored_variances: f64,
    /// Nodes without a variance, which was estimated from the others.
    pub unknown_variances: f64,
    /// Shares that were negative or not finite, and counted as zero.
    pub invalid_shares: f64,
    /// Parents, times steps for `forecast_proportions`, without any share, which were divided equally among their leaves.
    pub equal_splits: f64,
    /// Parents times steps that `forecast_proportions` divided by `shares`, because the forecasts were no shares.
    pub share_fallbacks: f64,
    /// Values of leaves that were set to zero because they may not be negative.
    pub pinned_values: f64,
    /// Steps in which the nearest non-negative values were not found and negative ones were cut off.
    pub clipped_lanes: f64,
}

impl From<Counts> for ReconciliationCounts {
    fn from(counts: Counts) -> Self {
        Self {
            floored_variances: counts.floored_variances as f64,
            unknown_variances: counts.unknown_variances as f64,
            invalid_shares: counts.invalid_shares as f64,
            equal_splits: counts.equal_splits as f64,
            share_fallbacks: counts.share_fallbacks as f64,
            pinned_values: counts.pinned_values as f64,
            clipped_lanes: counts.clipped_lanes as f64,
        }
    }
}

impl From<Reconciled> for ReconciledForecasts {
    fn from(reconciled: Reconciled) -> Self {
        Self {
            values: Float64Array::new(reconciled.values),
            max_incoherence_before: reconciled.max_incoherence_before,
            max_incoherence_after: reconciled.max_incoherence_after,
            shrinkage: reconciled.shrinkage,
            counts: reconciled.counts.into(),
        }
    }
}

/// One call of `reconcile`.
#[derive(Debug)]
pub struct ReconcileTask {
    parents: Vec<i32>,
    base: Vec<f64>,
    steps: usize,
    method: String,
    weights: Option<String>,
    top_down_method: Option<String>,
    shares: Option<Vec<f64>>,
    variances: Option<Vec<f64>>,
    residuals: Option<Vec<f64>>,
    non_negative: bool,
    control: Arc<Control>,
}

impl ReconcileTask {
    fn work(&self) -> Result<Reconciled, Box<EngineFailure>> {
        guarded(|| {
            // A second at most: a cancel counts only before it begins.
            if self.control.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            // Any other negative number is a parent that no node stands behind.
            let parent =
                |&parent: &i32| (parent != -1).then(|| usize::try_from(parent).unwrap_or(usize::MAX));
            let parents: Vec<Option<usize>> = self.parents.iter().map(parent).collect();
            let tree = Tree::from_parents(&parents).map_err(|error| Failure::Options(error.to_string()))?;
            let residuals =
                self.residuals.as_ref().map(|errors| Residuals::new(errors, errors.len() / tree.len()));
            let inputs =
                Inputs { shares: self.shares.as_deref(), variances: self.variances.as_deref(), residuals };
            Choice::named(&self.method, self.weights.as_deref(), self.top_down_method.as_deref())
                .and_then(|choice| choice.with(inputs))
                .and_then(|method| reconcile_values(&self.base, self.steps, &tree, method, self.non_negative))
                .map_err(|error| Failure::Options(error.to_string()))
        })
    }
}

#[napi]
impl Task for ReconcileTask {
    type Output = Result<Reconciled, Box<EngineFailure>>;
    type JsValue = ReconcileReply;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        Ok(self.work())
    }

    fn resolve(&mut self, _env: Env, output: Self::Output) -> napi::Result<ReconcileReply> {
        Ok(match output {
            Ok(reconciled) => ReconcileReply { value: Some(reconciled.into()), error: None },
            Err(error) => ReconcileReply { value: None, error: Some(*error) },
        })
    }
}

/// Makes forecasts of all nodes of a tree add up: each parent becomes the sum of its children.
#[napi(catch_unwind)]
pub fn reconcile(options: ReconcileOptions, task: &TaskHandle) -> AsyncTask<ReconcileTask> {
    let copy = |array: Option<Float64Array>| array.map(|array| array.to_vec());
    AsyncTask::new(ReconcileTask {
        parents: options.parents.to_vec(),
        base: options.base.to_vec(),
        steps: options.steps as usize,
        method: options.method,
        weights: options.weights,
        top_down_method: options.top_down_method,
        shares: copy(options.shares),
        variances: copy(options.variances),
        residuals: copy(options.residuals),
        non_negative: options.non_negative,
        control: task.control(),
    })
}
