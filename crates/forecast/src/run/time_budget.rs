//! Keeps a run inside its time budget: every series gets at least the cheap forecast, and as many as time allows get
//! the expensive one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Share of the budget that may be spent; the rest is for closing the files and for surprises.
const USABLE: f64 = 0.85;
/// Share of the budget after which backtests stop.
const BACKTEST: f64 = 0.25;
/// Share of the budget by which training of the global models must be done, because backtests follow it.
const LEARNING: f64 = 0.1;
/// Safety factor on the time of cheap forecasts that the sample gave.
const CAUTION: f64 = 1.5;

/// Decides for each series whether there is still time for the preset's own models.
#[derive(Debug)]
pub(crate) struct TimeBudget {
    began: Instant,
    budget: Option<Duration>,
    series: u64,
    done: AtomicU64,
    /// Wall time of a cheap forecast of one series when all threads work.
    cheap_seconds: f64,
}

impl TimeBudget {
    /// For a run over `series` series that began at `began`; `cheap_seconds` is the wall time of one cheap forecast.
    pub(crate) fn new(began: Instant, budget: Option<Duration>, series: usize, cheap_seconds: f64) -> Self {
        Self { began, budget, series: series as u64, done: AtomicU64::new(0), cheap_seconds }
    }

    /// Wall time of one cheap forecast when all threads work, in seconds.
    pub(crate) fn cheap_seconds(&self) -> f64 {
        self.cheap_seconds
    }

    /// Whether backtests have used up their share.
    pub(crate) fn must_stop_backtests(&self) -> bool {
        self.has_spent(BACKTEST)
    }

    /// Whether training of global models has used up its share.
    pub(crate) fn must_stop_learning(&self) -> bool {
        self.has_spent(LEARNING)
    }

    /// When backtests must stop.
    pub(crate) fn backtest_deadline(&self) -> Option<Instant> {
        self.deadline(BACKTEST)
    }

    /// When expensive forecasts must stop altogether.
    pub(crate) fn last_deadline(&self) -> Option<Instant> {
        self.deadline(USABLE)
    }

    fn deadline(&self, part: f64) -> Option<Instant> {
        self.budget.and_then(|budget| self.began.checked_add(budget.mul_f64(part)))
    }

    fn has_spent(&self, part: f64) -> bool {
        self.budget.is_some_and(|budget| self.began.elapsed().as_secs_f64() > part * budget.as_secs_f64())
    }

    /// Whether the remaining series only keep to the budget if all of them get the cheap forecast from now on.
    pub(crate) fn must_fall_back(&self) -> bool {
        let Some(budget) = self.budget else { return false };
        let left = self.series.saturating_sub(self.done.load(Ordering::Relaxed)) as f64;
        let needed = left * self.cheap_seconds * CAUTION;
        self.began.elapsed().as_secs_f64() + needed > USABLE * budget.as_secs_f64()
    }

    /// Counts a finished series.
    pub(crate) fn series_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_budget_there_is_no_hurry() {
        let time_budget = TimeBudget::new(Instant::now(), None, 1_000_000, 10.0);
        assert!(!time_budget.must_fall_back() && !time_budget.must_stop_backtests());
    }

    #[test]
    fn learning_must_stop_before_backtests() {
        let budget = Some(Duration::from_secs(1_000));
        let after = |seconds: u64| {
            let began =
                Instant::now().checked_sub(Duration::from_secs(seconds)).expect("the clock began earlier");
            TimeBudget::new(began, budget, 1, 0.0)
        };
        assert!(!after(50).must_stop_learning());
        let time_budget = after(150);
        assert!(time_budget.must_stop_learning() && !time_budget.must_stop_backtests());
    }

    #[test]
    fn hurry_ends_when_enough_series_are_done() {
        let budget = Some(Duration::from_secs(1_000));
        let time_budget = TimeBudget::new(Instant::now(), budget, 100, 10.0);
        assert!(time_budget.must_fall_back(), "100 series of 15 seconds do not fit");
        for _ in 0..60 {
            time_budget.series_done();
        }
        assert!(!time_budget.must_fall_back(), "40 series of 15 seconds fit");
    }
}
