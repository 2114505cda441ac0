//! Numbers made one.

use std::cmp::Ordering;

use crate::Aggregate;
use crate::panel::sum;

/// How the targets of one series become one: those of one time first, then those of a step.
#[derive(Clone, Copy)]
pub(crate) struct Combination {
    across: Aggregate,
    over: Aggregate,
}

impl Combination {
    pub(crate) fn new(aggregate: Aggregate, across: Option<Aggregate>) -> Self {
        Self { across: across.unwrap_or(aggregate), over: aggregate }
    }

    /// Of rows of one time.
    pub(crate) fn across(self) -> Aggregate {
        self.across
    }

    /// One target of several, which are in the order of time; NaN without one, infinite where one is too large on the
    /// way. Where both axes are combined alike, all rows count alike, whatever their time.
    pub(crate) fn of<T: PartialEq>(self, times: &[T], targets: &[f64]) -> f64 {
        if self.across == self.over {
            return self.over.of(targets.iter().copied());
        }
        let mut from = 0;
        let mut overflow = None;
        let moments = times.chunk_by(|left, right| left == right).map(|moment| {
            let value = self.across.of(targets[from..from + moment.len()].iter().copied());
            from += moment.len();
            if value.is_infinite() {
                overflow = Some(value);
            }
            value
        });
        let value = self.over.of(moments);
        overflow.unwrap_or(value)
    }
}

impl Aggregate {
    /// Of the numbers that are there, in their order; NaN without one.
    pub(crate) fn of(self, numbers: impl Iterator<Item = f64>) -> f64 {
        match self {
            Aggregate::Sum | Aggregate::Mean => match sum(numbers) {
                (_, 0) => f64::NAN,
                (total, count) if self == Aggregate::Mean => total / f64::from(count),
                (total, _) => total,
            },
            Aggregate::Max => extreme(numbers, Ordering::Greater),
            Aggregate::Min => extreme(numbers, Ordering::Less),
        }
    }

    /// Whether a part of a step would pass for the whole of it in a mean only.
    pub(crate) fn needs_whole_steps(self) -> bool {
        self != Aggregate::Mean
    }
}

/// The number that is of this order against all others; a zero has a sign, so that the order of the rows does not
/// decide which.
fn extreme(numbers: impl Iterator<Item = f64>, order: Ordering) -> f64 {
    let known = numbers.filter(|number| !number.is_nan());
    let further = |best: f64, number: f64| if number.total_cmp(&best) == order { number } else { best };
    known.reduce(further).unwrap_or(f64::NAN)
}
