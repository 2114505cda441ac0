use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::Unfit;

/// Tells models when a fit is no longer wanted: another thread has set a flag, or a deadline has passed. Models check
/// it between the candidates they compare, and before each evaluation of an expensive likelihood: often enough to stop
/// within milliseconds on long series, too rarely to cost anything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Interrupt<'a> {
    flag: Option<&'a AtomicBool>,
    deadline: Option<Instant>,
}

impl<'a> Interrupt<'a> {
    /// Fits always run to their end.
    pub const NEVER: Self = Self { flag: None, deadline: None };

    /// Fits stop soon after `flag` was set.
    pub const fn when(flag: &'a AtomicBool) -> Self {
        Self { flag: Some(flag), deadline: None }
    }

    /// Fits also stop soon after `deadline`.
    #[must_use]
    pub const fn or_after(self, deadline: Option<Instant>) -> Self {
        Self { flag: self.flag, deadline }
    }

    /// Whether the fit is no longer wanted.
    pub fn is_set(self) -> bool {
        self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// For `?` in a model's `fit_rescaled`.
    ///
    /// # Errors
    ///
    /// [`Unfit::INTERRUPTED`] if the fit is no longer wanted.
    pub fn check(self) -> Result<(), Unfit> {
        if self.is_set() { Err(Unfit::INTERRUPTED) } else { Ok(()) }
    }
}
