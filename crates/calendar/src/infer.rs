//! The frequency of a panel.

use crate::advance::same_day_of_month;
use crate::alias::MAX_MULTIPLE;
use crate::civil::{Date, split, weekday};
use crate::gaps::{GapCounts, for_each_pair};
use crate::{DAY, Edge, Frequency, HOUR, MINUTE, Micros, SECOND, Unit, WEEK};

/// How regular a panel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Regularity {
    /// The frequency, with the anchor of the data.
    pub frequency: Frequency,
    /// Number of gaps between neighbouring stamps within a series, over all series.
    pub gaps: u64,
    /// Number of gaps that are not one step; callers warn about it with `irregular_gaps` unless it is zero.
    pub irregular: u64,
}

/// No step explains nine gaps in ten.
#[derive(Debug, Clone, PartialEq)]
pub struct NotInferred {
    /// Number of gaps between neighbouring stamps within a series, over all series.
    pub gaps: u64,
    /// The step that explains most gaps, if any.
    pub best: Option<Frequency>,
    /// The share of gaps that it explains, 0 to 1.
    pub agreement: f64,
}

/// The data contradict the given frequency.
#[derive(Debug, Clone, PartialEq)]
pub struct FrequencyConflict {
    /// The fault, as a sentence.
    pub message: String,
    /// The frequency that the data suggest, if it can be inferred.
    pub inferred: Option<Frequency>,
}

/// Infers the frequency of a panel: series `i` has the ascending stamps `timestamps[offsets[i]..offsets[i + 1]]`.
///
/// Candidates come from the most frequent gap: a fixed step (from a day on, up to an hour's difference, because days of
/// local time have 23 or 25 hours twice a year), business days, or months with a common day (the last day counts as
/// one).
///
/// # Errors
/// If fewer than 90 % of the gaps are one step of the best candidate.
pub fn infer_frequency(timestamps: &[Micros], offsets: &[usize]) -> Result<Regularity, NotInferred> {
    let counts = GapCounts::of(timestamps, offsets);
    let gaps = counts.total;
    let mut best: Option<(Frequency, u64)> = None;
    if let Some(modal) = counts.modal() {
        let months = (modal >= 28 * DAY - HOUR).then(|| MonthGaps::of(timestamps, offsets));
        let mut candidates = Vec::new();
        candidates.extend(months.as_ref().and_then(MonthGaps::same_day));
        let agreeing = counts.near(modal, if modal >= DAY { HOUR } else { 0 });
        candidates.extend(fixed(modal).map(|step| (step, agreeing)));
        if modal == DAY && agreeing < gaps {
            let business = Frequency::new(Unit::BusinessDay, 1);
            candidates.push((business, count_steps(business, timestamps, offsets).single));
        }
        candidates.extend(months.as_ref().and_then(MonthGaps::any_day));
        // The first of several equally good candidates wins: exact months, then the fixed step, then the looser ones.
        for (frequency, agreeing) in candidates {
            if best.is_none_or(|(_, most)| agreeing > most) {
                best = Some((frequency, agreeing));
            }
        }
    }
    match best {
        Some((frequency, agreeing)) if agreeing * 10 >= gaps * 9 => {
            let frequency = anchor_to_data(frequency, timestamps);
            Ok(Regularity { frequency, gaps, irregular: gaps - agreeing })
        }
        _ => Err(NotInferred {
            gaps,
            best: best.map(|(frequency, _)| anchor_to_data(frequency, timestamps)),
            agreement: best.map_or(0.0, |(_, agreeing)| agreeing as f64 / gaps as f64),
        }),
    }
}

/// Checks a given frequency against a panel (laid out as for [`infer_frequency`]). Missing steps are no contradiction.
/// Anchor, edge and day come from the data: `ME` for stamps on the first of the month gives `MS`, `W` for Mondays
/// `W-MON`.
///
/// # Errors
/// If more than one gap in ten is not a whole number of steps, or most gaps are the same multiple of it.
pub fn check_frequency(
    given: Frequency,
    timestamps: &[Micros],
    offsets: &[usize],
) -> Result<Regularity, FrequencyConflict> {
    let steps = count_steps(given, timestamps, offsets);
    let conflict = |message: String| FrequencyConflict {
        message,
        inferred: infer_frequency(timestamps, offsets).ok().map(|regularity| regularity.frequency),
    };
    if steps.uneven * 10 > steps.gaps {
        return Err(conflict(format!(
            "{} of {} gaps between timestamps are not whole steps of '{given}'",
            steps.uneven, steps.gaps
        )));
    }
    if steps.single * 10 < steps.gaps && steps.most_frequent.1 * 2 >= steps.gaps {
        let length = match steps.most_frequent.0 {
            0 => format!("{POOLED_STEPS} steps of '{given}' long or longer"),
            length => format!("{length} steps of '{given}' long"),
        };
        return Err(conflict(format!(
            "{} of {} gaps between timestamps are {length}",
            steps.most_frequent.1, steps.gaps
        )));
    }
    let frequency = anchor_to_data(given, timestamps);
    Ok(Regularity { frequency, gaps: steps.gaps, irregular: steps.gaps - steps.single })
}

/// Gaps of at least this many steps are pooled: if they are the majority, their lengths do not matter.
const POOLED_STEPS: usize = 4096;

fn fixed(gap: Micros) -> Option<Frequency> {
    let units = [
        (WEEK, Unit::Week(6)),
        (DAY, Unit::Day),
        (HOUR, Unit::Hour),
        (MINUTE, Unit::Minute),
        (SECOND, Unit::Second),
    ];
    let (length, unit) = units.into_iter().find(|(length, _)| gap % length == 0)?;
    // A step without an alias could neither be given nor stored in a model file.
    let multiple =
        u32::try_from(gap / length).ok().filter(|multiple| (1..=MAX_MULTIPLE).contains(multiple))?;
    Some(Frequency::new(unit, multiple))
}

#[derive(Default)]
struct StepCounts {
    gaps: u64,
    /// Number of gaps of one step.
    single: u64,
    /// Number of gaps that are not a positive whole number of steps.
    uneven: u64,
    /// The most frequent number of steps, and how often it occurs; all gaps of at least [`POOLED_STEPS`] count as 0.
    most_frequent: (i64, u64),
}

fn count_steps(frequency: Frequency, timestamps: &[Micros], offsets: &[usize]) -> StepCounts {
    let mut counts = StepCounts::default();
    let mut by_steps = vec![0_u64; POOLED_STEPS];
    for_each_pair(timestamps, offsets, |first, second| {
        counts.gaps += 1;
        match frequency.steps_between(first, second) {
            Some(1) => counts.single += 1,
            Some(steps) if steps > 1 => {
                if let Some(count) = by_steps.get_mut(steps as usize) {
                    *count += 1;
                } else {
                    by_steps[0] += 1;
                }
            }
            _ => counts.uneven += 1,
        }
    });
    let most = (0..by_steps.len()).max_by_key(|&steps| by_steps[steps]).unwrap_or(0);
    counts.most_frequent = (most as i64, by_steps[most]);
    counts
}

/// The frequency with the weekday, edge and month of most stamps.
fn anchor_to_data(frequency: Frequency, timestamps: &[Micros]) -> Frequency {
    let unit = match frequency.unit() {
        Unit::Week(_) => {
            let mut days = [0_u64; 7];
            for stamp in timestamps {
                days[usize::from(weekday(split(*stamp).0))] += 1;
            }
            Unit::Week(most_frequent(&days) as u8)
        }
        Unit::Month(_) | Unit::Quarter(..) | Unit::Year(..) => {
            let mut months = [0_u64; 12];
            let mut last_days = 0;
            for stamp in timestamps {
                let date = Date::from_days(split(*stamp).0);
                months[date.month as usize - 1] += 1;
                last_days += usize::from(date.is_last_of_month());
            }
            let edge = if last_days * 10 >= timestamps.len() * 9 { Edge::End } else { Edge::Start };
            let month = most_frequent(&months) as u32 + 1;
            match frequency.unit() {
                Unit::Quarter(..) => Unit::Quarter(edge, month),
                Unit::Year(..) => Unit::Year(edge, month),
                _ => Unit::Month(edge),
            }
        }
        unit => unit,
    };
    Frequency::new(unit, frequency.multiple())
}

/// Index of the largest count, the first among equals.
fn most_frequent(counts: &[u64]) -> usize {
    (0..counts.len()).rev().max_by_key(|&index| counts[index]).unwrap_or(0)
}

/// Differences of neighbouring stamps in months.
struct MonthGaps {
    /// Indexed by the number of months: all gaps, and those between equal days of the month.
    counts: Vec<(u64, u64)>,
}

impl MonthGaps {
    /// Up to a century.
    const MOST: usize = 1201;

    fn of(timestamps: &[Micros], offsets: &[usize]) -> MonthGaps {
        let mut counts = vec![(0, 0); MonthGaps::MOST];
        for_each_pair(timestamps, offsets, |first, second| {
            let (first, second) = (Date::from_days(split(first).0), Date::from_days(split(second).0));
            let months = second.month_index() - first.month_index();
            if let Some((all, same_day)) =
                usize::try_from(months).ok().and_then(|months| counts.get_mut(months))
            {
                *all += 1;
                *same_day += u64::from(same_day_of_month(first, second));
            }
        });
        MonthGaps { counts }
    }

    /// The step of most gaps between equal days of the month.
    fn same_day(&self) -> Option<(Frequency, u64)> {
        self.best(|(_, same_day)| *same_day)
    }

    /// The step of most gaps, whatever the days (for example stamps on the last working day of each month).
    fn any_day(&self) -> Option<(Frequency, u64)> {
        self.best(|(all, _)| *all)
    }

    fn best(&self, count: impl Fn(&(u64, u64)) -> u64) -> Option<(Frequency, u64)> {
        let months = (1..self.counts.len()).rev().max_by_key(|&months| count(&self.counts[months]))?;
        let gaps = count(&self.counts[months]);
        (gaps > 0).then(|| (months_frequency(months as u32), gaps))
    }
}

/// A step of this many months; the data determine edge and anchor later.
fn months_frequency(months: u32) -> Frequency {
    match months {
        3 => Frequency::new(Unit::Quarter(Edge::Start, 1), 1),
        _ if months.is_multiple_of(12) => Frequency::new(Unit::Year(Edge::Start, 1), months / 12),
        _ => Frequency::new(Unit::Month(Edge::Start), months),
    }
}
