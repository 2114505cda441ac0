//! Lets a caller stop a training.

/// Polled often, by any thread; true ends the work.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
