//! Exact Shapley values of tree ensembles (path-dependent `TreeSHAP`) by Gauss-Legendre quadrature.
//!
//! A row without a feature goes both ways at that feature's splits, weighted by cover. The Shapley weight of a set of s
//! features out of d - 1 is the integral of t^s (1 - t)^(d - 1 - s), so the sum over all sets is the integral of a
//! polynomial of degree d - 1, which ceil(d / 2) points give exactly, where d counts the distinct features of a path
//! (Lundberg et al., From local explanations to global understanding, 2020; quadrature form: arXiv 2605.04497).

mod block;
mod contributions;
mod decisions;
mod explainer;
mod explanation;
mod interactions;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod lanes_x86;
mod plan;
mod quadrature;
mod stacks;
mod sweep;
mod table;

pub use explainer::Explainer;
pub use explanation::Explanation;
pub use interactions::Interactions;
