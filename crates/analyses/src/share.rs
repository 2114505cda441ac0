//! The time that an analysis may take.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tabcast_table::WriteError;

/// The share of the run's budget for all analyses together, and its upper limit.
const PART: f64 = 0.2;
const MOST: Duration = Duration::from_secs(120);

/// The time of one analysis.
#[derive(Clone, Copy, Debug)]
pub struct Share<'a> {
    cancel: &'a AtomicBool,
    deadline: Instant,
}

impl<'a> Share<'a> {
    /// The time for all analyses of a run with this budget: a fifth of it, at most two minutes.
    pub fn of_all(budget: Option<Duration>) -> Duration {
        budget.map_or(MOST, |budget| budget.mul_f64(PART).min(MOST))
    }

    /// One of `count` equal shares of `all`, starting now; it is over as soon as `cancel` is set.
    pub fn of(all: Duration, count: usize, cancel: &'a AtomicBool) -> Self {
        let own = all / u32::try_from(count.max(1)).unwrap_or(1);
        Self { cancel, deadline: Instant::now() + own }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || Instant::now() >= self.deadline
    }

    /// Checks that the run has not been cancelled.
    ///
    /// # Errors
    ///
    /// [`WriteError::Cancelled`] if it has.
    pub fn check(&self) -> Result<(), WriteError> {
        if self.is_cancelled() { Err(WriteError::Cancelled) } else { Ok(()) }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
