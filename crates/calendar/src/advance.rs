//! Steps along a frequency.

use crate::civil::{Date, business_day, business_index, day_in_month, split};
use crate::{DAY, Edge, Frequency, Micros};

/// Keeps month arithmetic far from the ends of `i64`; no stamp that far out can be written.
const MAX_STEPS: i64 = 1_000_000_000_000;

impl Frequency {
    /// The stamp `steps` steps after `from` (before, if negative).
    ///
    /// The time of day is kept. Month steps stamped at the end give the last day of the month, the others keep the day:
    /// 31 January plus one month is 28 or 29 February, plus two is 31 March, so count from one origin, not step by
    /// step. If `from` is at a weekend, business days start from the preceding Friday. The caller has to refuse results
    /// outside the years 1 to 9999 (see [`MIN_MICROS`](crate::MIN_MICROS), [`MAX_MICROS`](crate::MAX_MICROS)); they
    /// saturate at the ends of `i64`.
    pub fn advance(&self, from: Micros, steps: i64) -> Micros {
        if let Some(step) = self.fixed_micros() {
            return from.saturating_add(steps.saturating_mul(step));
        }
        let steps = steps.clamp(-MAX_STEPS, MAX_STEPS);
        let (days, time) = split(from);
        let day = match self.months() {
            Some((edge, months)) => {
                let date = Date::from_days(days);
                let day = if edge == Edge::End { 31 } else { date.day };
                day_in_month(date.month_index() + steps * months, day)
            }
            None => business_day(business_index(days) + steps * i64::from(self.multiple())),
        };
        day.saturating_mul(DAY).saturating_add(time)
    }

    /// Number of whole steps from `from` to `to`, if `to` lies on the grid that starts at `from`, up to the hour by
    /// which clocks change; otherwise `None`.
    pub fn steps_between(&self, from: Micros, to: Micros) -> Option<i64> {
        if let Some(step) = self.fixed_micros() {
            // Stamps that `advance` has saturated still have a difference.
            let gap = to.saturating_sub(from);
            let (over, under) = (gap.rem_euclid(step), step - gap.rem_euclid(step));
            let steps = gap.div_euclid(step) + i64::from(under <= over);
            let tolerance = if step >= DAY { crate::HOUR } else { 0 };
            return (over.min(under) <= tolerance).then_some(steps);
        }
        let (first, second) = (split(from).0, split(to).0);
        if let Some((_, months)) = self.months() {
            let (first, second) = (Date::from_days(first), Date::from_days(second));
            let gap = second.month_index() - first.month_index();
            return (gap % months == 0 && same_day_of_month(first, second)).then_some(gap / months);
        }
        let on_grid = |days| business_day(business_index(days)) == days;
        let gap = business_index(second) - business_index(first);
        let multiple = i64::from(self.multiple());
        (on_grid(first) && on_grid(second) && gap % multiple == 0).then_some(gap / multiple)
    }
}

/// Whether two dates have the same day of the month; the last day also matches any later one.
pub(crate) fn same_day_of_month(first: Date, second: Date) -> bool {
    first.day == second.day
        || (first.is_last_of_month() && (second.is_last_of_month() || second.day > first.day))
        || (second.is_last_of_month() && first.day > second.day)
}
