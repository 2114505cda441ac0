//! One grid of steps for series that start and end at different times.

use tabcast_calendar::{Frequency, Micros, write_iso8601};

/// Steps of a frequency from a first stamp. A stamp between two steps, as in a series with another phase, counts as the
/// nearer one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    first: Micros,
    frequency: Frequency,
}

impl Grid {
    pub(crate) fn from(first: Micros, frequency: Frequency) -> Self {
        Self { first, frequency }
    }

    /// The step of a stamp; 0 for stamps before the first.
    pub(crate) fn place(&self, stamp: Micros) -> usize {
        if let Some(steps) = self.frequency.steps_between(self.first, stamp) {
            return usize::try_from(steps).unwrap_or(0);
        }
        let (mut low, mut high) = (0_i64, 1_i64);
        while self.frequency.advance(self.first, high) <= stamp {
            (low, high) = (high, high * 2);
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.frequency.advance(self.first, middle) <= stamp { low = middle } else { high = middle }
        }
        let (before, after) =
            (self.frequency.advance(self.first, low), self.frequency.advance(self.first, high));
        usize::try_from(if after - stamp < stamp - before { high } else { low }).unwrap_or(0)
    }

    /// The stamp of a step as ISO 8601 without a zone.
    pub(crate) fn text(&self, place: usize) -> String {
        iso(self.frequency.advance(self.first, place as i64))
    }
}

/// A stamp as ISO 8601 without a zone.
pub(crate) fn iso(stamp: Micros) -> String {
    let mut bytes = Vec::with_capacity(32);
    write_iso8601(stamp, &mut bytes);
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    text.truncate(text.len() - "+00:00".len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_have_the_step_that_is_nearest() {
        const DAY: Micros = 86_400_000_000;
        let weekly = Grid::from(4 * DAY, Frequency::parse("W-MON").expect("a frequency"));
        assert_eq!(weekly.place(4 * DAY), 0);
        assert_eq!(weekly.place(4 * DAY + 21 * DAY), 3);
        assert_eq!(weekly.place(4 * DAY + 22 * DAY), 3);
        assert_eq!(weekly.place(4 * DAY + 27 * DAY), 4);
        assert_eq!(weekly.place(-10 * DAY), 0);
        assert_eq!(weekly.text(1), "1970-01-12T00:00:00");
    }
}
