//! The positions of a series' rows on its steps.

use std::ops::Range;

use tabcast_calendar::{Frequency, Lattice, Micros, Periods};

/// Maximum number of steps per row of a series. With more, a wrong timestamp is likelier than so many missing values.
const STEPS_A_ROW: u64 = 20;
/// Steps that any series may have in addition, however few rows it has.
const FREE_STEPS: u64 = 10_000;

/// The maximum number of steps of a series with `rows` rows.
pub(crate) fn most_steps_of(rows: usize) -> u64 {
    FREE_STEPS + STEPS_A_ROW * rows as u64
}

/// The steps on which series lie.
#[derive(Clone, Copy)]
pub(crate) enum Steps {
    /// The same periods for all series.
    Periods(Periods),
    /// Steps of a frequency, with a phase that each series sets itself.
    Own(Frequency),
}

/// Numbers the steps of one series.
#[derive(Clone, Copy)]
enum Numbering {
    Periods(Periods),
    Lattice(Lattice),
}

/// The part of a series from its first value to its last.
pub(crate) struct Places {
    /// The rows from the first value to the last.
    pub(crate) rows: Range<usize>,
    /// The number of steps that they span.
    pub(crate) steps: usize,
    /// The number of the first step.
    origin: i64,
    numbering: Numbering,
}

impl Steps {
    /// None if the series has no value, or if two rows share a step.
    pub(crate) fn places(self, times: &[Micros], targets: &[f64]) -> Option<Places> {
        let first = targets.iter().position(|target| !target.is_nan())?;
        let end = targets.iter().rposition(|target| !target.is_nan())? + 1;
        let times = &times[first..end];
        let numbering = match self {
            Steps::Periods(periods) => Numbering::Periods(periods),
            Steps::Own(frequency) => Numbering::Lattice(Lattice::of(times, frequency)),
        };
        let origin = numbering.of(times[0]);
        let mut last = origin;
        for time in &times[1..] {
            let number = numbering.of(*time);
            if number <= last {
                return None;
            }
            last = number;
        }
        Some(Places { rows: first..end, steps: (last - origin + 1) as usize, origin, numbering })
    }
}

impl Places {
    /// The step of a time, counted from 0 at the first value.
    pub(crate) fn step(&self, time: Micros) -> usize {
        (self.numbering.of(time) - self.origin) as usize
    }

    /// The stamp of a step.
    pub(crate) fn stamp(&self, step: usize) -> Micros {
        let number = self.origin + step as i64;
        match self.numbering {
            Numbering::Periods(periods) => periods.label(number),
            Numbering::Lattice(lattice) => lattice.stamp(number),
        }
    }
}

impl Numbering {
    fn of(&self, time: Micros) -> i64 {
        match self {
            Numbering::Periods(periods) => periods.index(time),
            Numbering::Lattice(lattice) => lattice.index(time),
        }
    }
}
