//! Aggregates numbers.

use std::cmp::Ordering;

use crate::Aggregate;
use crate::panel::sum;

/// How the targets of one series are aggregated: first those of one time, then those of a step.
#[derive(Clone, Copy)]
pub(crate) struct Combination {
    across: Aggregate,
    over: Aggregate,
}

impl Combination {
    pub(crate) fn new(aggregate: Aggregate, across: Option<Aggregate>) -> Self {
        Self { across: across.unwrap_or(aggregate), over: aggregate }
    }

    /// The aggregate for rows of one time.
    pub(crate) fn across(self) -> Aggregate {
        self.across
    }

    /// The aggregate of several targets in chronological order; NaN without any, infinite if an intermediate result
    /// overflows. If both axes use the same aggregate, all rows count equally, whatever their time.
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
    /// The aggregate of the numbers that are not missing, in their order; NaN without any.
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

    /// Whether an incomplete step would distort the aggregate, as it would anything but a mean.
    pub(crate) fn needs_whole_steps(self) -> bool {
        self != Aggregate::Mean
    }
}

/// The extreme number in this order. Zeros are compared with their sign, so that the order of the rows does not decide
/// the result.
fn extreme(numbers: impl Iterator<Item = f64>, order: Ordering) -> f64 {
    let known = numbers.filter(|number| !number.is_nan());
    let further = |best: f64, number: f64| if number.total_cmp(&best) == order { number } else { best };
    known.reduce(further).unwrap_or(f64::NAN)
}
