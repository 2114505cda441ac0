//! Optimisers, distributions and linear algebra shared by the model crates.

mod normal;

pub use normal::normal_quantile;
