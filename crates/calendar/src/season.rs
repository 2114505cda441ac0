//! Usual seasons.

use crate::{Frequency, Unit};

impl Frequency {
    /// Length of the main season in steps; 1 if there is none.
    ///
    /// Sub-daily steps repeat daily (below five minutes hourly, below a minute every minute), days weekly, months and
    /// quarters yearly. A multiple that does not divide the season evenly has none. Weeks have a yearly season of 52
    /// steps, but only in [`Frequency::season_lengths`]: few weekly series are long enough for it to be the main one.
    pub fn season_length(&self) -> usize {
        if matches!(self.unit(), Unit::Week(_)) {
            return 1;
        }
        self.season_lengths().first().copied().unwrap_or(1)
    }

    /// Lengths of all usual seasons in steps, shortest first; empty if there are none.
    pub fn season_lengths(&self) -> Vec<usize> {
        let multiple = self.multiple() as usize;
        let seasons: &[usize] = match self.unit() {
            Unit::Second => &[60, 3600],
            Unit::Minute if multiple < 5 => &[60, 1440],
            Unit::Minute => &[1440, 10_080],
            Unit::Hour => &[24, 168],
            Unit::Day => &[7],
            Unit::BusinessDay => &[5],
            Unit::Week(_) => &[52],
            Unit::Month(_) => &[12],
            Unit::Quarter(..) => &[4],
            Unit::Year(..) => &[],
        };
        seasons
            .iter()
            .filter(|&season| season % multiple == 0 && season / multiple > 1)
            .map(|season| season / multiple)
            .collect()
    }
}
