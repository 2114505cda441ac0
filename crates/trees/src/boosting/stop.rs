//! How a caller ends a training.

/// Asked often, by any thread; true ends the work.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
