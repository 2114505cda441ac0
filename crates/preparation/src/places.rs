//! How a series lies on its steps.

use std::ops::Range;

use tabcast_calendar::{Frequency, Lattice, Micros, Periods};

/// Steps of a series for each of its rows; with more, one time stamp is wrong rather than so many values missing.
const STEPS_A_ROW: u64 = 20;
/// So many it may have in any case.
const FREE_STEPS: u64 = 10_000;

/// How many steps a series with so many rows may have.
pub(crate) fn most_steps_of(rows: usize) -> u64 {
    FREE_STEPS + STEPS_A_ROW * rows as u64
}

/// The steps of series.
#[derive(Clone, Copy)]
pub(crate) enum Steps {
    /// The same for all.
    Periods(Periods),
    /// Of a frequency, each series as it lies.
    Own(Frequency),
}

/// The numbers that the steps of one series have.
#[derive(Clone, Copy)]
enum Numbering {
    Periods(Periods),
    Lattice(Lattice),
}

/// A series from its first value to its last.
pub(crate) struct Places {
    /// Its rows with these and all between.
    pub(crate) rows: Range<usize>,
    /// Steps from the first to the last of them.
    pub(crate) steps: usize,
    /// The number of the first.
    origin: i64,
    numbering: Numbering,
}

impl Steps {
    /// None where there is no value, or two rows share a step.
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
    /// The step of a time, counted from the first.
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
