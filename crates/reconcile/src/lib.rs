//! Makes forecasts add up across a tree of sums: each parent becomes the sum of its children.
//!
//! Values are node-major arrays: `values[node * lanes + lane]`, where a lane is a step of the horizon or a sample path.
//! Nothing here knows what a forecast is.

mod error;
mod incoherence;
mod method;
mod reconcile;
mod reconciler;
mod residuals;
mod round;
mod tree;

pub use error::{Offenders, ReconcileError, TreeError};
pub use incoherence::max_incoherence;
pub use method::{Covariance, Method};
pub use reconcile::{Reconciled, reconcile};
pub use reconciler::{Applied, Counts, Reconciler};
pub use residuals::Residuals;
pub use round::{DecimalGrid, round_additive};
pub use tree::Tree;
