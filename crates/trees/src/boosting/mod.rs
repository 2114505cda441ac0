//! Gradient boosting on histograms (Friedman, 2001; Ke et al., *`LightGBM`*, 2017), grown leaf-wise or obliviously.
//!
//! Columns are binned to one byte per cell. Gradients are rounded to whole numbers, at random and without bias, and
//! gradient and second derivative of a row are summed as one 64-bit number. Sums are therefore exact, trees do not
//! depend on the order of work or the number of threads, and a cell costs one addition. Leaf values come from the
//! unrounded derivatives.
//!
//! # Why this is not one of the kept libraries
//! Two libraries were compared, version by version, with the requirements of this crate.
//!
//! `perpetual` 2.1 grows one kind of tree under a budget that sets the learning rate and the number of trees. It has
//! monotone constraints, sets of categories and missing directions. It has no oblivious trees and no loss for several
//! quantile levels with one tree structure; leaf values and covers are `f32`, which rules out Shapley values to 1e-9.
//!
//! `lightgbm3` 1.0 compiles the C++ library with `CMake` and needs clang for its bindings. It has one quantile level
//! per model, no oblivious trees, and exports its trees as text. `LightGBM`'s results depend on the number of threads
//! unless slower settings are chosen.
//!
//! So neither can be used. The bench `trees` times this crate (through `examples/boost_speed.rs`) against `LightGBM`
//! itself, which `lightgbm3` runs; the bench `tabular` has the losses of `perpetual` 2.3 and `LightGBM` at their
//! defaults on 18 tables.

pub(crate) mod binning;
pub(crate) mod bins;
mod booster;
mod borders;
pub(crate) mod candidate;
mod categories;
mod directions;
mod error;
pub(crate) mod grown;
mod histogram;
mod leaf_values;
mod leaf_wise;
mod loss;
mod objective;
mod oblivious;
mod packing;
mod params;
pub(crate) mod partition;
mod quantile;
mod report;
mod round;
mod search;
mod session;
pub(crate) mod split;
mod stop;
pub(crate) mod table;

pub use bins::{BinnedRows, Bins};
pub use booster::{Booster, Labelled};
pub use error::TrainError;
pub use loss::Loss;
pub use params::{CategoryParams, Growth, Monotone, Params};
pub use report::Report;
pub use stop::Stop;
