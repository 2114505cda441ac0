//! Covariates and their effect.

pub(crate) mod effect;
pub(crate) mod engineered;
pub(crate) mod external;
pub(crate) mod regressors;
