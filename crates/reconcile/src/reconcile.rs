use crate::error::ReconcileError;
use crate::incoherence::max_incoherence;
use crate::method::Method;
use crate::reconciler::{Applied, Counts, Reconciler};
use crate::tree::Tree;

/// Coherent forecasts, and corrections that were made.
#[derive(Debug, Clone, PartialEq)]
pub struct Reconciled {
    /// Nodes x steps.
    pub values: Vec<f64>,
    /// The largest |parent - sum of its children| of the base forecasts.
    pub max_incoherence_before: f64,
    /// The same for `values`: a rounding error.
    pub max_incoherence_after: f64,
    /// The intensity, only with [`Covariance::Shrinkage`](crate::Covariance::Shrinkage).
    pub shrinkage: Option<f64>,
    /// Corrections and failures.
    pub counts: Counts,
}

/// Makes `base`, the forecasts of all nodes (nodes x steps, node by node), coherent. With `non_negative` none is
/// negative; see [`Reconciler::apply_non_negative`].
///
/// ```
/// use tabcast_reconcile::{Covariance, Method, Tree, reconcile};
///
/// // Two steps of two shops, which should add up to the total: 10 of 6 + 3, and 11 of 6 + 5.
/// let tree = Tree::from_paths(["north", "south"].into_iter(), "/", "total").unwrap();
/// let base = [10.0, 11.0, 6.0, 6.0, 3.0, 5.0];
/// let method = Method::MinTrace(Covariance::Structural);
/// let reconciled = reconcile(&base, 2, &tree, method, true).unwrap();
/// // The total's forecast is as good as the two others together, so that each side gives way by half.
/// assert_eq!(reconciled.values, [9.5, 11.0, 6.25, 6.0, 3.25, 5.0]);
/// assert_eq!((reconciled.max_incoherence_before, reconciled.max_incoherence_after), (1.0, 0.0));
/// ```
///
/// # Errors
///
/// If an array does not match the tree, or a base forecast or a sum of them is not finite.
pub fn reconcile(
    base: &[f64],
    steps: usize,
    tree: &Tree,
    method: Method<'_>,
    non_negative: bool,
) -> Result<Reconciled, ReconcileError> {
    ReconcileError::unless_length("base forecasts", base, tree.len(), steps)?;
    if let Some(at) = base.iter().position(|value| !value.is_finite()) {
        return Err(ReconcileError::NotFinite { node: at / steps, lane: at % steps });
    }
    let reconciler = Reconciler::new(tree, method)?;
    let Applied { values, counts } = reconciler.apply_counted(base.to_vec(), steps, non_negative);
    if values.iter().any(|value| !value.is_finite()) {
        return Err(ReconcileError::Overflow);
    }
    Ok(Reconciled {
        max_incoherence_before: max_incoherence(tree, base, steps),
        max_incoherence_after: max_incoherence(tree, &values, steps),
        shrinkage: reconciler.shrinkage(),
        values,
        counts,
    })
}
