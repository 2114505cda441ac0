use std::sync::atomic::{AtomicBool, Ordering};

use crate::Unfit;

/// A flag that another thread sets when a fit is no longer wanted. Models look at it between the candidates they compare,
/// and before each evaluation of a dear likelihood: often enough to stop within milliseconds on long series, too rarely to
/// cost anything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Interrupt<'a>(Option<&'a AtomicBool>);

impl<'a> Interrupt<'a> {
    /// Fits go on to their end.
    pub const NEVER: Self = Self(None);

    /// Fits stop soon after `flag` was set.
    pub const fn when(flag: &'a AtomicBool) -> Self {
        Self(Some(flag))
    }

    /// Whether the flag was set.
    pub fn is_set(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// For `?` in a model's `fit_rescaled`.
    ///
    /// # Errors
    ///
    /// [`Unfit::INTERRUPTED`] when the flag was set.
    pub fn check(self) -> Result<(), Unfit> {
        if self.is_set() { Err(Unfit::INTERRUPTED) } else { Ok(()) }
    }
}
