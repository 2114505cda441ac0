//! What explains a result, from arrays: data only, no markup, no files.
//!
//! Every analysis takes [`Features`] or series and gives columns of numbers, or says by a [`Skip`] why there is nothing to say.

mod features;
pub mod findings;
mod skip;

pub use features::{Feature, Features, Values};
pub use skip::Skip;

/// Asked now and then by whatever takes long: true when it is to end early.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
