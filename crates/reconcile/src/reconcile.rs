use crate::error::ReconcileError;
use crate::method::Method;
use crate::reconciler::Counts;
use crate::tree::Tree;

/// Forecasts that add up, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Reconciled {
    /// Nodes x steps.
    pub values: Vec<f64>,
    /// The largest |parent - sum of its children| of the base forecasts.
    pub max_incoherence_before: f64,
    /// The same of `values`.
    pub max_incoherence_after: f64,
    /// The intensity, with [`Covariance::Shrinkage`](crate::Covariance::Shrinkage) only.
    pub shrinkage: Option<f64>,
    /// What was put right or given up.
    pub counts: Counts,
}

/// Reconciles `base` (nodes x steps, node by node).
///
/// # Errors
///
/// When an array does not fit the tree, or a base forecast is not finite.
pub fn reconcile(
    _base: &[f64],
    _steps: usize,
    _tree: &Tree,
    _method: Method<'_>,
    _non_negative: bool,
) -> Result<Reconciled, ReconcileError> {
    unimplemented!()
}
