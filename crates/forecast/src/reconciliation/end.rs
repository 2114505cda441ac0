//! Where the histories of a hierarchy end.

use tabcast_calendar::{AlignError, Micros, align};
use tabcast_table::Panel;

use crate::Failure;
use crate::history::History;
use crate::run::plan::Plan;

/// A series may always end this many steps before the others and still count as late.
const LATE_STEPS: usize = 3;

/// A series that ends up to this many steps before the others is late: its last season, or its last value, stands in. A
/// series that ends earlier is over, and its history continues with zeros. Data in transit may lack a day of hours or a
/// week of days, but not a year of months.
pub(super) fn late_steps(plan: &Plan) -> usize {
    let season = if plan.frequency.fixed_micros().is_some() { plan.season } else { 1 };
    season.max(LATE_STEPS)
}

/// The last step of the series that ends last.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) origin: Micros,
    /// Counted from the origin.
    pub(super) steps: i64,
}

impl End {
    /// The latest observation of the panel, on the step grid of its series.
    pub(super) fn of(panel: &Panel, plan: &Plan) -> Result<Self, Failure> {
        let last_observed = |index: usize| {
            let (timestamps, targets) = panel.series(index);
            targets.iter().rposition(|target| !target.is_nan()).map(|row| timestamps[row])
        };
        let latest = (0..panel.len()).rev().max_by_key(|&index| last_observed(index));
        let history = latest.and_then(|index| {
            let (timestamps, targets) = panel.series(index);
            History::of(timestamps, targets, plan)
        });
        let history =
            history.ok_or_else(|| Failure::InvalidForecast("no series has an observation".to_owned()))?;
        Ok(Self { origin: history.origin, steps: history.steps })
    }

    /// Number of steps from the end of a history to this end, and whether it was rounded because the stamps of the
    /// history lie on another day or time.
    pub(super) fn after(self, history: &History, plan: &Plan) -> (usize, bool) {
        let from = plan.frequency.advance(history.origin, history.steps);
        let to = plan.frequency.advance(self.origin, self.steps);
        let most = plan.max_history();
        if let Some(steps) = plan.frequency.steps_between(from, to) {
            return (steps.clamp(0, most as i64) as usize, false);
        }
        // A late stamp that counts for the step after it may put the end of a history after this end, by less than a
        // step.
        if to <= from {
            return (0, true);
        }
        let steps = match align(&[from, to], &[0.0, 0.0], plan.frequency, most) {
            Ok(grid) => grid.values.len() - 1,
            Err(AlignError::TooManySteps { .. }) => most,
            // Both stamps lie on one step.
            Err(AlignError::Conflict { .. }) => 0,
        };
        (steps, true)
    }
}

/// Appends the values assumed for a series that ends `gap` steps before the others.
pub(super) fn reach_end(values: &mut Vec<f64>, gap: usize, is_late: bool, season: usize) {
    for _ in 0..gap {
        let last_season = values.len().checked_sub(season.max(1)).and_then(|at| values.get(at));
        let known = last_season.or(values.last()).copied();
        values.push(if is_late { known.unwrap_or(0.0) } else { 0.0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_series_goes_on_with_its_last_season() {
        let mut values = vec![1.0, 2.0, 3.0, 4.0];
        reach_end(&mut values, 3, true, 4);
        assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0]);
        let mut short = vec![5.0, 7.0];
        reach_end(&mut short, 2, true, 4);
        assert_eq!(short, [5.0, 7.0, 7.0, 7.0]);
    }

    #[test]
    fn a_series_that_is_over_adds_nothing() {
        let mut values = vec![1.0, 2.0];
        reach_end(&mut values, 4, false, 1);
        assert_eq!(values, [1.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
