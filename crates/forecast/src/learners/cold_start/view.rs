//! What of a donor lies before a moment.

/// A donor at one time: values that are known, and what is expected of the steps after them.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    /// Oldest first.
    pub(super) past: &'a [f64],
    pub(super) ahead: &'a [f64],
    /// What is usual at each place of the season, beginning with that of the first step ahead.
    pub(super) season: &'a [f64],
}

impl View<'_> {
    /// What is usual at a step, 0 for the first one ahead, -1 for the last one that is known.
    pub(super) fn usual_at(&self, step: isize) -> f64 {
        self.season[step.rem_euclid(self.season.len() as isize) as usize]
    }
}
