//! Optimisers, distributions, features and linear algebra shared by the model crates.
//!
//! Everything is deterministic, works on `f64` slices and keeps its state on the stack or in buffers of the caller.
//! Nothing here is specific to forecasts.

mod autocorrelation;
mod beta;
mod brent;
mod cholesky;
mod gamma;
mod kpss;
mod least_squares;
mod loess;
mod multiple_tests;
mod nelder_mead;
pub mod network;
mod normal;
pub mod random;
mod season;
mod stl;
mod tails;

pub use autocorrelation::{autocorrelation, autocorrelations};
pub use beta::regularised_beta;
pub use brent::minimize_scalar;
pub use cholesky::{factorise_positive_definite, solve_factorised, solve_positive_definite};
pub use gamma::{ln_gamma, regularised_gamma_upper};
pub use kpss::{has_unit_root, kpss_statistic};
pub use least_squares::{LeastSquares, Stop, SumOfSquares};
pub use loess::Loess;
pub use multiple_tests::benjamini_hochberg;
pub use nelder_mead::{Bounds, minimize};
pub use normal::normal_quantile;
pub use season::{has_season, moving_average, seasonal_strength};
pub use stl::{Stl, StlWorkspace, decompose_seasons};
pub use tails::{
    chi_square_upper_tail, f_upper_tail, normal_upper_tail, student_t_quantile, student_t_two_sided,
};
