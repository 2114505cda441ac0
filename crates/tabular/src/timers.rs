//! Seconds by stage.

use std::collections::BTreeMap;
use std::time::Instant;

/// Seconds by stage; stages do not overlap.
#[derive(Debug, Default)]
pub(crate) struct Timers(BTreeMap<&'static str, f64>);

impl Timers {
    pub(crate) fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let result = work();
        *self.0.entry(stage).or_default() += began.elapsed().as_secs_f64();
        result
    }

    pub(crate) fn seconds(self) -> BTreeMap<&'static str, f64> {
        self.0
    }
}
