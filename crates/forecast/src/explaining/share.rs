//! How long an analysis may take.

use std::time::{Duration, Instant};

use crate::{Control, Failure};

/// The part of the run's budget that all analyses together may take, and the most that they take.
const PART: f64 = 0.2;
const MOST: Duration = Duration::from_secs(120);

/// The time of one analysis.
#[derive(Clone, Copy)]
pub(crate) struct Share<'a> {
    control: &'a Control,
    deadline: Instant,
}

impl<'a> Share<'a> {
    /// One of `count` equal shares, from now on.
    pub(crate) fn of(budget: Option<Duration>, count: usize, control: &'a Control) -> Self {
        let all = budget.map_or(MOST, |budget| budget.mul_f64(PART).min(MOST));
        Self { control, deadline: Instant::now() + all / u32::try_from(count.max(1)).unwrap_or(1) }
    }

    /// Whether it is over.
    pub(crate) fn is_over(&self) -> bool {
        self.control.is_cancelled() || Instant::now() >= self.deadline
    }

    /// What a run does that is no longer wanted.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.control.is_cancelled() { Err(Failure::Cancelled) } else { Ok(()) }
    }
}
