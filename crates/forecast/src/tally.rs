use tabcast_table::Warning;

use crate::class::Class;
use crate::history::History;
use crate::outlook::Outlook;

/// Counts over all series of what the sender should know.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    filled: u64,
    moved: u64,
    trailing: u64,
    off_grid: u64,
    drawn_in: u64,
    rejected: u64,
    fell_back: u64,
    hurried: u64,
    /// Series by class, at the class's number.
    classes: [u64; Class::ALL.len()],
}

impl Tally {
    pub(crate) fn add(&mut self, history: &History, outlook: &Outlook) {
        self.filled += history.filled as u64;
        self.moved += history.moved as u64;
        self.trailing += history.trailing as u64;
        self.off_grid += u64::from(history.off_grid);
        self.drawn_in += history.drawn_in as u64;
        self.rejected += outlook.rejected as u64;
        self.fell_back += u64::from(outlook.fell_back);
        self.hurried += u64::from(outlook.hurried);
        self.classes[outlook.class as usize] += 1;
    }

    /// Series by class, at the class's number.
    pub(crate) fn series_of(&self) -> &[u64] {
        &self.classes
    }

    /// One warning for each count that is not zero, in a fixed order.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let all = [
            (
                "gaps_filled",
                self.filled,
                "missing steps inside series were filled from the same position of the seasons around them, or linearly",
            ),
            (
                "timestamps_moved",
                self.moved,
                "rows lay beside the grid of the frequency and were moved to their step, or gave way to a later row there",
            ),
            (
                "trailing_nulls",
                self.trailing,
                "rows after the last observation of their series were taken as future rows",
            ),
            (
                "off_grid_series",
                self.off_grid,
                "series do not keep to the frequency; their observations were taken as consecutive steps",
            ),
            (
                "covariate_drawn_in",
                self.drawn_in,
                "future values of covariates were further from their history than it is wide and were drawn in to that distance",
            ),
            (
                "models_replaced",
                self.rejected,
                "times a model's forecast of a series was not believable and was left out",
            ),
            (
                "fallback_used",
                self.fell_back,
                "series were forecast by a simpler rule because no model of the preset applied",
            ),
            (
                "budget_short",
                self.hurried,
                "series were forecast with the preset fast because the job's time budget ran short",
            ),
        ];
        all.into_iter()
            .filter(|(_, count, _)| *count > 0)
            .map(|(code, count, message)| Warning { code, message: format!("{count} {message}."), count })
            .collect()
    }
}
