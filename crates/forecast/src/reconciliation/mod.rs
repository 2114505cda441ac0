//! Coherent forecasts of a hierarchy: the tree over the series, the histories of its sums, what the methods need to
//! know of the past, and the coherent table. The mathematics is in `tabcast_reconcile`.

mod base;
mod coherent;
mod end;
mod faults;
mod found;
mod hierarchy;
mod nodes;
mod options;
mod regressors;
mod residuals;
mod shares;
mod summary;

use base::BaseForecasts;
pub(crate) use hierarchy::Hierarchy;
pub(crate) use nodes::Nodes;
pub(crate) use options::Reconciliation;
pub use options::ReconciliationOptions;
pub use summary::{Fallback, HierarchyLevel, ReconciliationSummary};
