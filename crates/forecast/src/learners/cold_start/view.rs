//! A donor as it was at an earlier time.

/// A donor at one time: its known values and the forecasts of the steps after them.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    /// Oldest first.
    pub(super) past: &'a [f64],
    pub(super) ahead: &'a [f64],
    /// The usual season, starting with the position of the first step ahead.
    pub(super) season: &'a [f64],
}

impl View<'_> {
    /// The usual value at a step: 0 is the first step ahead, -1 the last known one.
    pub(super) fn usual_at(&self, step: isize) -> f64 {
        self.season[step.rem_euclid(self.season.len() as isize) as usize]
    }
}
