//! `reconcile`: forecasts of a tree of sums, made to add up.

use napi::bindgen_prelude::{AsyncTask, Float64Array, Int32Array};
use napi::{Env, Task};
use napi_derive::napi;
use tabcast_forecast::Failure;
use tabcast_reconcile::{Covariance, Method, Reconciled, Residuals, Tree, reconcile as reconcile_nodes};

use crate::failure::EngineFailure;
use crate::guarded::guarded;

/// A tree of sums and forecasts of all its nodes.
#[napi(object, object_to_js = false)]
pub struct ReconcileOptions {
    /// For each node the number of its parent, which stands before it; -1 for the root, node 0.
    pub parents: Int32Array,
    /// Nodes x steps, node by node.
    pub base: Float64Array,
    /// Of the forecasts.
    pub steps: u32,
    /// `bottom_up`, `top_down`, `forecast_proportions`, `ols`, `wls_struct`, `wls_var` or `shrink`.
    pub method: String,
    /// What the method goes by: for `top_down` and `forecast_proportions` a share for each leaf, for `wls_var` a variance of
    /// the errors for each node, for `shrink` the errors, as many for each node, NaN where one is missing; else missing.
    pub known: Option<Float64Array>,
    /// Whether no forecast may come out below zero.
    pub non_negative: bool,
}

/// Exactly one of the two is set.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct ReconcileReply {
    /// Forecasts that add up.
    pub value: Option<ReconciledForecasts>,
    /// Why there are none.
    pub error: Option<EngineFailure>,
}

/// Forecasts that add up.
#[napi(object, object_from_js = false)]
pub struct ReconciledForecasts {
    /// Nodes x steps, node by node.
    pub values: Float64Array,
    /// The largest distance between a parent and the sum of its children before.
    pub max_incoherence_before: f64,
    /// The same after: a rounding error.
    pub max_incoherence_after: f64,
    /// Intensity of the shrinkage, 0 to 1; of `shrink`.
    pub shrinkage: Option<f64>,
}

/// One call of `reconcile`.
pub struct ReconcileTask {
    options: ReconcileOptions,
}

impl ReconcileTask {
    fn work(&self) -> Result<Reconciled, Box<EngineFailure>> {
        let ReconcileOptions { parents, base, steps, method, known, non_negative } = &self.options;
        guarded(|| {
            // The root's -1 is no number of a node, and what else is none is refused with the tree.
            let parents: Vec<Option<usize>> =
                parents.iter().map(|&parent| usize::try_from(parent).ok()).collect();
            let tree = Tree::from_parents(&parents).map_err(|error| Failure::Options(error.to_string()))?;
            let method = method_of(method, known.as_deref().unwrap_or_default(), tree.len())?;
            reconcile_nodes(base, *steps as usize, &tree, method, *non_negative)
                .map_err(|error| Failure::Options(error.to_string()))
        })
    }
}

fn method_of<'a>(name: &str, known: &'a [f64], nodes: usize) -> Result<Method<'a>, Failure> {
    Ok(match name {
        "bottom_up" => Method::BottomUp,
        "top_down" => Method::TopDown { shares: known },
        "forecast_proportions" => Method::ForecastProportions { shares: known },
        "ols" => Method::MinTrace(Covariance::Identity),
        "wls_struct" => Method::MinTrace(Covariance::Structural),
        "wls_var" => Method::MinTrace(Covariance::Diagonal(known)),
        "shrink" => Method::MinTrace(Covariance::Shrinkage(Residuals::new(known, known.len() / nodes))),
        _ => return Err(Failure::Options(format!("no method is called {name:?}"))),
    })
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
            Ok(reconciled) => ReconcileReply {
                value: Some(ReconciledForecasts {
                    values: Float64Array::new(reconciled.values),
                    max_incoherence_before: reconciled.max_incoherence_before,
                    max_incoherence_after: reconciled.max_incoherence_after,
                    shrinkage: reconciled.shrinkage,
                }),
                error: None,
            },
            Err(error) => ReconcileReply { value: None, error: Some(*error) },
        })
    }
}

/// Makes forecasts of all nodes of a tree add up, in time linear in nodes and steps.
#[napi(catch_unwind)]
pub fn reconcile(options: ReconcileOptions) -> AsyncTask<ReconcileTask> {
    AsyncTask::new(ReconcileTask { options })
}
