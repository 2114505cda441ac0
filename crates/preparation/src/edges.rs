//! Periods that the data cover only partly.

use tabcast_calendar::{Frequency, Micros, Periods, Unit};

/// The first and the last period, if they are incomplete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Edges {
    pub(crate) first: Option<i64>,
    pub(crate) last: Option<i64>,
}

const SECOND: Micros = 1_000_000;
const DAY: Micros = 86_400 * SECOND;

impl Edges {
    /// The edges for observations from the first to the last time of `range`. A period is complete if it cannot contain
    /// an observation before the first or after the last one: one step away in data with a step; in other data, on
    /// another day for periods of days or longer, at another second for shorter ones.
    pub(crate) fn of(
        periods: &Periods,
        step: Frequency,
        own: Option<Frequency>,
        range: (Micros, Micros),
    ) -> Edges {
        let is_clock = matches!(step.unit(), Unit::Second | Unit::Minute | Unit::Hour);
        let (first, last) = range;
        let (before, after) = match own {
            Some(own) => (own.advance(first, -1), own.advance(last, 1)),
            None if is_clock => (first - SECOND, last + SECOND),
            None => ((first.div_euclid(DAY) - 1) * DAY, (last.div_euclid(DAY) + 1) * DAY),
        };
        let (begin, end) = (periods.index(first), periods.index(last));
        Edges {
            first: (periods.index(before) == begin).then_some(begin),
            last: (periods.index(after) == end).then_some(end),
        }
    }
}
