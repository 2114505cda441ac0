//! Global models: models that learn from all series of a panel.

pub(crate) mod blended;
pub(crate) mod cold_start;
pub(crate) mod global;
pub(crate) mod pooled;
pub(crate) mod ridge;
pub(crate) mod seasonal;
pub(crate) mod tuned;
