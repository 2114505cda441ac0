//! Problems found while histories are added up.

use tabcast_table::{ContentError, Kind, Panel, Warning};

use super::faults::named;
use crate::Failure;

/// Problems found while adding up.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Series that do not keep to the frequency.
    pub(super) off_grid: Vec<usize>,
    /// Steps of each history.
    pub(super) lengths: Vec<usize>,
    pub(super) late: u64,
    pub(super) over: u64,
    pub(super) shifted: u64,
    begun_late: u64,
    pub(super) negative: bool,
}

impl Found {
    pub(super) fn append(mut self, later: Self) -> Self {
        self.off_grid.extend(later.off_grid);
        self.lengths.extend(later.lengths);
        self.late += later.late;
        self.over += later.over;
        self.shifted += later.shifted;
        self.negative |= later.negative;
        self
    }

    /// Counts the series that start after the grand total does.
    pub(super) fn late_starts(&mut self, sums: &[Vec<f64>]) {
        let longest = sums.first().map_or(0, Vec::len);
        self.begun_late = self.lengths.iter().filter(|length| (1..longest).contains(*length)).count() as u64;
    }

    /// Refuses series off the grid: values can only be added up step by step.
    pub(super) fn refuse(&self, panel: &Panel) -> Result<(), Failure> {
        let Some(&first) = self.off_grid.first() else { return Ok(()) };
        let message = format!(
            "{} of the series to add up do not keep to the frequency: {}",
            self.off_grid.len(),
            named(&self.off_grid, panel)
        );
        Err(ContentError::new("off_grid_series", Kind::Content, message)
            .item(panel.ids.get(first))
            .count(self.off_grid.len() as u64)
            .suggestion("Give one row a step in all series, or set freq to the step that they share.")
            .into())
    }

    pub(super) fn warnings(&self) -> impl Iterator<Item = Warning> {
        let all = [
            (
                "series_begin_late",
                self.begun_late,
                "bottom series begins after the first of them; before, it counts as 0 in the sums",
                "bottom series begin after the first of them; before, they count as 0 in the sums",
            ),
            (
                "series_end_late",
                self.late,
                "bottom series ends up to 3 steps or a season of days, hours or less before the others; its last \
                    season, or else its last value, stands in for them",
                "bottom series end up to 3 steps or a season of days, hours or less before the others; their last \
                    season, or else their last value, stands in for them",
            ),
            (
                "series_over",
                self.over,
                "bottom series ends earlier before the others than data that is late; its history goes on with 0",
                "bottom series end earlier before the others than data that is late; their histories go on with 0",
            ),
            (
                "steps_shifted",
                self.shifted,
                "bottom series has its steps at another day or time than the series that goes on longest; it was \
                    moved to that one's steps",
                "bottom series have their steps at another day or time than the series that goes on longest; they \
                    were moved to that one's steps",
            ),
        ];
        all.into_iter().filter(|(_, count, ..)| *count > 0).map(|(code, count, one, several)| {
            let message = if count == 1 { one } else { several };
            Warning { code: code.into(), message: format!("{count} {message}."), count }
        })
    }
}
