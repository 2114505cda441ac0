//! The position of a series' stamps in their periods.

use crate::civil::{Date, business_day, business_index, day_in_month, split};
use crate::{DAY, Edge, Frequency, Micros};

/// A grid without an origin: its steps are numbered from an arbitrary one, and each stamp belongs to one of them.
#[derive(Debug, Clone, Copy)]
pub enum Lattice {
    /// `remainder + index * step`; a stamp belongs to the nearest step.
    Fixed {
        /// Length of a step.
        step: Micros,
        /// Stamp of step 0.
        remainder: Micros,
    },
    /// Business days at one time of day; a weekend belongs to the preceding Friday.
    Business {
        /// Number of business days per step.
        multiple: i64,
        /// Business day of step 0.
        remainder: i64,
        /// Time of the day.
        time: Micros,
    },
    /// One day and time of every `months`-th month; a stamp belongs to the period that contains it.
    Months {
        /// The edge of the period on which its stamp lies.
        edge: Edge,
        /// Number of months per step.
        months: i64,
        /// Month of step 0.
        remainder: i64,
        /// Day of the month; the last day if the month is shorter.
        day: u32,
        /// Time of the day.
        time: Micros,
    },
}

impl Lattice {
    /// The lattice on which most of the ascending, non-empty `timestamps` lie.
    pub fn of(timestamps: &[Micros], frequency: Frequency) -> Lattice {
        if let Some(step) = frequency.fixed_micros() {
            return Lattice::Fixed {
                step,
                remainder: prevailing(timestamps, |stamp| stamp.rem_euclid(step)),
            };
        }
        let time = prevailing(timestamps, |stamp| split(stamp).1);
        let Some((edge, months)) = frequency.months() else {
            let multiple = i64::from(frequency.multiple());
            let index = |stamp| business_index(split(stamp).0);
            let remainder = prevailing(timestamps, |stamp| index(stamp).rem_euclid(multiple));
            return Lattice::Business { multiple, remainder, time };
        };
        let date = |stamp| Date::from_days(split(stamp).0);
        Lattice::Months {
            edge,
            months,
            remainder: prevailing(timestamps, |stamp| date(stamp).month_index().rem_euclid(months)),
            day: if edge == Edge::End {
                31
            } else {
                prevailing(timestamps, |stamp| i64::from(date(stamp).day)) as u32
            },
            time,
        }
    }

    /// Number of the step that a stamp belongs to.
    pub fn index(&self, stamp: Micros) -> i64 {
        match *self {
            Lattice::Fixed { step, remainder } => (stamp - remainder + step / 2).div_euclid(step),
            Lattice::Business { multiple, remainder, .. } => {
                (business_index(split(stamp).0) - remainder).div_euclid(multiple)
            }
            Lattice::Months { edge, months, remainder, .. } => {
                let month = Date::from_days(split(stamp).0).month_index();
                // A period either ends or starts with its stamp.
                let before = if edge == Edge::End { months - 1 } else { 0 };
                (month + before - remainder).div_euclid(months)
            }
        }
    }

    /// The stamp of a step.
    pub fn stamp(&self, index: i64) -> Micros {
        match *self {
            Lattice::Fixed { step, remainder } => index * step + remainder,
            Lattice::Business { multiple, remainder, time } => {
                business_day(index * multiple + remainder) * DAY + time
            }
            Lattice::Months { months, remainder, day, time, .. } => {
                day_in_month(index * months + remainder, day) * DAY + time
            }
        }
    }
}

/// The key that the two latest stamps share; otherwise the key of more than half of all stamps; otherwise the first
/// stamp's key.
///
/// The latest stamps take precedence because forecasts continue from them: after a clock change, local midnights that
/// were normalised to UTC continue with the new offset.
fn prevailing(timestamps: &[Micros], key: impl Fn(Micros) -> i64) -> i64 {
    if let [.., before, last] = *timestamps
        && key(before) == key(last)
    {
        return key(last);
    }
    // Boyer and Moore's majority vote.
    let (mut candidate, mut votes) = (0, 0_usize);
    for key in timestamps.iter().map(|stamp| key(*stamp)) {
        if votes == 0 {
            candidate = key;
        }
        if key == candidate { votes += 1 } else { votes -= 1 }
    }
    let supporters = timestamps.iter().filter(|stamp| key(**stamp) == candidate).count();
    if supporters * 2 > timestamps.len() { candidate } else { key(timestamps[0]) }
}
