//! Makes forecasts coherent across a tree of sums: each parent becomes the sum of its children.
//!
//! [`reconcile`] does it in one call. A [`Reconciler`] is prepared once for many arrays, for instance sample paths, and
//! also computes the variances of its results. [`round_additive`] makes the decimals of a written file add up.
//!
//! Values are node-major arrays: `values[node * lanes + lane]`, where a lane is a step of the horizon or a sample path.
//! Every method takes time linear in nodes times lanes, and none builds a matrix of nodes x nodes.

mod choice;
mod error;
mod gains;
mod gram;
mod incoherence;
mod intensity;
mod method;
mod non_negative;
mod paths;
mod reconcile;
mod reconciler;
mod residuals;
mod round;
mod shares;
mod shrunk;
mod tree;
mod weights;

pub use choice::{Choice, ErrorWeights, Inputs, MethodName, Proportions};
pub use error::{Offenders, ReconcileError, TreeError};
pub use incoherence::max_incoherence;
pub use method::{Covariance, Method};
pub use reconcile::{Reconciled, reconcile};
pub use reconciler::{Applied, Counts, Reconciler};
pub use residuals::Residuals;
pub use round::{DecimalGrid, missed_units, round_additive};
pub use tree::Tree;
