//! Time steps.

use serde::{Deserialize, Serialize};

use crate::{DAY, HOUR, MINUTE, Micros, SECOND, WEEK};

/// A time step: a unit with its anchor, and a multiple.
///
/// Equal steps are equal values: 60 minutes are an hour, 24 hours a day, and a quarter's anchor is one of three months.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Frequency {
    unit: Unit,
    multiple: u32,
}

/// Unit of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// One second.
    Second,
    /// One minute.
    Minute,
    /// One hour.
    Hour,
    /// One day.
    Day,
    /// Monday to Friday.
    BusinessDay,
    /// Seven days, named after the weekday of the stamps: 0 for Monday to 6 for Sunday.
    Week(u8),
    /// A month, stamped at one edge. `Start` also covers stamps on another day: that day is kept.
    Month(Edge),
    /// Three months; the month (1 to 12) of a stamp: 1 to 3 for `Start`, 10 to 12 for `End`.
    Quarter(Edge, u32),
    /// Twelve months; the month (1 to 12) of every stamp.
    Year(Edge, u32),
}

/// The day of its period on which a calendar stamp lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Edge {
    /// The first day.
    Start,
    /// The last day.
    End,
}

impl Frequency {
    /// `multiple` (at least 1) times `unit`, in its simplest form.
    pub(crate) fn new(unit: Unit, multiple: u32) -> Frequency {
        match unit {
            Unit::Second if multiple.is_multiple_of(60) => Frequency::new(Unit::Minute, multiple / 60),
            Unit::Minute if multiple.is_multiple_of(60) => Frequency::new(Unit::Hour, multiple / 60),
            Unit::Hour if multiple.is_multiple_of(24) => Frequency::new(Unit::Day, multiple / 24),
            Unit::Quarter(Edge::Start, month) => {
                Frequency { unit: Unit::Quarter(Edge::Start, (month - 1) % 3 + 1), multiple }
            }
            Unit::Quarter(Edge::End, month) => {
                Frequency { unit: Unit::Quarter(Edge::End, (month + 2) % 3 + 10), multiple }
            }
            _ => Frequency { unit, multiple },
        }
    }

    /// The unit.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Number of units in one step.
    pub fn multiple(&self) -> u32 {
        self.multiple
    }

    /// Length of a step, if it is constant; `None` for business days, months and longer.
    pub fn fixed_micros(&self) -> Option<Micros> {
        let unit = match self.unit {
            Unit::Second => SECOND,
            Unit::Minute => MINUTE,
            Unit::Hour => HOUR,
            Unit::Day => DAY,
            Unit::Week(_) => WEEK,
            Unit::BusinessDay | Unit::Month(_) | Unit::Quarter(..) | Unit::Year(..) => return None,
        };
        Some(unit * Micros::from(self.multiple))
    }

    /// Edge and months of a calendar step; `None` for the other units.
    pub(crate) fn months(&self) -> Option<(Edge, i64)> {
        let (edge, months) = match self.unit {
            Unit::Month(edge) => (edge, 1),
            Unit::Quarter(edge, _) => (edge, 3),
            Unit::Year(edge, _) => (edge, 12),
            _ => return None,
        };
        Some((edge, months * i64::from(self.multiple)))
    }
}
