//! The crate through its public door.

mod dense;
mod double_double;
mod edge_cases;
mod methods;
mod non_negative;
mod rounding;
mod trees;
