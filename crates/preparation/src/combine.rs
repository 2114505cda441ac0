//! Combines the rows of one series and step.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use tabcast_calendar::{Micros, Periods};
use tabcast_table::{Columns, WrongCell, wrong_cells};

use crate::Failure;
use crate::aggregate::Combination;
use crate::edges::Edges;
use crate::gaps::GapSums;
use crate::input::Input;
use crate::panel::{Groups, Panel, Values};
use crate::rows::Rows;

/// Which rows are combined.
pub(crate) enum By {
    /// None: every row stays.
    Row,
    /// The rows of one time.
    Time,
    /// The rows of one period; incomplete periods are dropped.
    Period(Periods, Edges),
}

/// The combined rows.
pub(crate) struct Combined {
    pub(crate) panel: Panel,
    /// Number of rows combined with an earlier one.
    pub(crate) joined_rows: u64,
    /// Of these, the rows with the same time.
    pub(crate) joined_times: u64,
    /// Number of distinct dropped periods.
    pub(crate) dropped_periods: u64,
    /// Number of the data's own steps that were given a value before they were summed.
    pub(crate) filled_steps: u64,
}

impl By {
    fn key(&self, row: usize, time: Micros) -> i64 {
        match self {
            By::Row => row as i64,
            By::Time => time,
            By::Period(periods, _) => periods.index(time),
        }
    }
}

/// Combines rows. The columns in `kept` are combined too: numeric ones to their mean, others to the first text in
/// chronological order.
pub(crate) fn combine(
    rows: &Rows,
    by: &By,
    combination: Combination,
    gaps: &GapSums,
    (input, columns, kept): (&Input, &Columns, &[String]),
    cancel: &AtomicBool,
) -> Result<Combined, Failure> {
    let edges = if let By::Period(_, edges) = by { *edges } else { Edges::default() };
    let mut groups = Groups { places: &rows.places, bounds: Vec::new() };
    let (mut ids, mut offsets, mut times, mut targets) = (Vec::new(), vec![0], Vec::new(), Vec::new());
    let (mut joined_rows, mut joined_times, mut filled_steps) = (0, 0, 0);
    let (mut drops_first, mut drops_last) = (false, false);
    for (series, id) in rows.ids.iter().enumerate() {
        if cancel.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        let (mut from, end) = (rows.offsets[series], rows.offsets[series + 1]);
        while from < end {
            let key = by.key(from, rows.times[from]);
            let to = (from + 1..end).find(|row| by.key(*row, rows.times[*row]) != key).unwrap_or(end);
            let group = from..to;
            from = to;
            joined_rows += (group.len() - 1) as u64;
            let times_of = &rows.times[group.clone()];
            joined_times += times_of.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
            let mut target = combination.of(times_of, &rows.targets[group.clone()]);
            let is_known = !target.is_nan();
            let gap = gaps.get(series).and_then(|sums| sums.get(&key)).copied().unwrap_or_default();
            if gap.1 > 0 {
                target += gap.0;
            }
            if target.is_infinite() {
                return Err(infinite_sum(rows, &group, columns));
            }
            if is_known && (edges.first == Some(key) || edges.last == Some(key)) {
                drops_first |= edges.first == Some(key);
                drops_last |= edges.last == Some(key) && edges.first != Some(key);
                // The known future continues from here.
                if edges.first == Some(key) || to == end || kept.is_empty() {
                    continue;
                }
                target = f64::NAN;
            }
            filled_steps += if target.is_nan() { 0 } else { gap.1 };
            times.push(match by {
                By::Row | By::Time => rows.times[group.start],
                By::Period(periods, _) => periods.label(key),
            });
            targets.push(target);
            groups.bounds.push((group.start, group.end));
        }
        if times.len() > offsets[offsets.len() - 1] {
            ids.push(id.clone());
            offsets.push(times.len());
        }
    }
    let covariates =
        kept.iter().map(|name| (name.clone(), Values::combined(input.column(name), &groups))).collect();
    let panel = Panel { ids, offsets, times, targets, covariates };
    let dropped_periods = u64::from(drops_first) + u64::from(drops_last);
    Ok(Combined {
        panel,
        joined_rows,
        joined_times: if matches!(by, By::Row) { 0 } else { joined_times },
        dropped_periods,
        filled_steps,
    })
}

fn infinite_sum(rows: &Rows, group: &Range<usize>, columns: &Columns) -> Failure {
    let row = u64::from(rows.places[group.start]) + 1;
    wrong_cells(WrongCell::InfiniteTarget, group.len() as u64, row, "a sum", columns).into()
}
