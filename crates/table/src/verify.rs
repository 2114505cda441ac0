//! Checks of whole series.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tabcast_calendar::{Micros, write_pandas};

use crate::covariates::Cell;
use crate::dates::DateReading;
use crate::{ContentError, Kind, Panel, ReadError, ReadOptions, shorten};

/// Number of rows that one task sorts and checks between two checks of the cancel flag.
const TASK_ROWS: usize = 65_536;
/// Number of rows that are sorted between two checks of the cancel flag.
const SORTED_ROWS: usize = 1 << 20;
/// Maximum number of items in a message.
const NAMED: usize = 5;

/// Sorts each series by time unless it is sorted already, then refuses duplicates, series without a value, and series
/// with fewer than two.
pub(crate) fn verify(
    panel: &mut Panel,
    covariates: &mut [Vec<Cell>],
    dates: &DateReading,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    let errors = find_faults(panel, covariates, options)?;
    errors.into_iter().next().map_or(Ok(()), |error| Err(dates.explain(error).into()))
}

/// Sorts each series by time unless it is sorted already, and returns all faults.
pub(crate) fn find_faults(
    panel: &mut Panel,
    covariates: &mut [Vec<Cell>],
    options: &ReadOptions,
) -> Result<Vec<ContentError>, ReadError> {
    let offsets = &panel.offsets;
    let tasks = split(offsets, &mut panel.timestamps, &mut panel.targets, covariates);
    let findings: Vec<Finding> = tasks
        .into_par_iter()
        .map(|task| {
            if options.cancel.load(Ordering::Relaxed) {
                Err(ReadError::Cancelled)
            } else {
                task.run(offsets, options.cancel)
            }
        })
        .collect::<Result<_, _>>()?;
    let finding = findings.into_iter().fold(Finding::default(), Finding::append);
    Ok(finding.errors(panel, options))
}

fn names(series: &[usize], panel: &Panel) -> String {
    series.iter().map(|&index| format!("'{}'", shorten(panel.ids.get(index)))).collect::<Vec<_>>().join(", ")
}

fn printed(time: Option<Micros>) -> String {
    let mut text = Vec::new();
    if let Some(time) = time {
        write_pandas(time, &mut text);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The faults in a range of series; the lists hold the first few.
#[derive(Default)]
struct Finding {
    duplicates: Vec<usize>,
    /// Timestamp of the first duplicate of the first series that has one.
    first_duplicate: Option<Micros>,
    duplicate_rows: u64,
    all_null: Vec<usize>,
    all_null_items: u64,
    too_few: Vec<usize>,
    too_few_items: u64,
}

impl Finding {
    fn append(mut self, later: Finding) -> Finding {
        let join = |list: &mut Vec<usize>, more: Vec<usize>| {
            list.extend(more);
            list.truncate(NAMED);
        };
        join(&mut self.duplicates, later.duplicates);
        self.first_duplicate = self.first_duplicate.or(later.first_duplicate);
        join(&mut self.all_null, later.all_null);
        join(&mut self.too_few, later.too_few);
        self.duplicate_rows += later.duplicate_rows;
        self.all_null_items += later.all_null_items;
        self.too_few_items += later.too_few_items;
        self
    }

    fn errors(&self, panel: &Panel, options: &ReadOptions) -> Vec<ContentError> {
        let target = &options.columns.target;
        let few = |code, series: &[usize], count: u64, what: &str, suggestion: &str| {
            let items = if count == 1 { "1 item has" } else { &format!("{count} items have") };
            let message = format!("{items} {what}: {}", names(series, panel));
            let error = ContentError::new(code, Kind::Content, message).count(count).suggestion(suggestion);
            series.first().map(|&first| error.column(target).item(panel.ids.get(first)))
        };
        let all_null = few(
            "all_null_target",
            &self.all_null,
            self.all_null_items,
            "no value at all",
            "Leave these items out, or give them values.",
        );
        let too_few = few(
            "too_few_observations",
            &self.too_few,
            self.too_few_items,
            "a single value",
            "Every item needs at least two rows with a value.",
        );
        self.duplicate_error(panel, options).into_iter().chain(all_null).chain(too_few).collect()
    }

    fn duplicate_error(&self, panel: &Panel, options: &ReadOptions) -> Option<ContentError> {
        let first = panel.ids.get(*self.duplicates.first()?);
        let rows = self.duplicate_rows;
        let message = format!(
            "{rows} {} an earlier row with the same item and timestamp, the first of them '{first}' at {}; items \
                concerned: {}",
            if rows == 1 { "row repeats" } else { "rows repeat" },
            printed(self.first_duplicate),
            names(&self.duplicates, panel)
        );
        let error = ContentError::new("duplicate_rows", Kind::Content, message)
            .column(&options.columns.timestamp)
            .item(first)
            .count(rows)
            .suggestion(
                "Keep one row for each item and timestamp. Local times repeat an hour when clocks go back: write them \
                    with their UTC offset.",
            );
        Some(error)
    }
}

/// A range of series with its rows.
struct Task<'a> {
    series: std::ops::Range<usize>,
    timestamps: &'a mut [Micros],
    targets: &'a mut [f64],
    covariates: Vec<&'a mut [Cell]>,
}

fn split<'a>(
    offsets: &[usize],
    mut timestamps: &'a mut [Micros],
    mut targets: &'a mut [f64],
    covariates: &'a mut [Vec<Cell>],
) -> Vec<Task<'a>> {
    // An unused covariate has no cells.
    let used = covariates.iter_mut().filter(|cells| !cells.is_empty());
    let mut covariates: Vec<&mut [Cell]> = used.map(Vec::as_mut_slice).collect();
    let mut tasks = Vec::new();
    let mut first = 0;
    while first + 1 < offsets.len() {
        // At least one series, so a series longer than a task forms one task.
        let last = offsets.partition_point(|offset| *offset <= offsets[first] + TASK_ROWS).max(first + 2) - 1;
        let rows = offsets[last] - offsets[first];
        let (mine, others) = timestamps.split_at_mut(rows);
        timestamps = others;
        let (values, others) = targets.split_at_mut(rows);
        targets = others;
        let cells =
            covariates.iter_mut().map(|column| column.split_off_mut(..rows).unwrap_or_default()).collect();
        tasks.push(Task { series: first..last, timestamps: mine, targets: values, covariates: cells });
        first = last;
    }
    tasks
}

impl Task<'_> {
    fn run(mut self, offsets: &[usize], cancel: &AtomicBool) -> Result<Finding, ReadError> {
        let mut finding = Finding::default();
        let base = offsets[self.series.start];
        for index in self.series {
            let rows = offsets[index] - base..offsets[index + 1] - base;
            // An item whose rows are all faulty has none here.
            if rows.is_empty() {
                continue;
            }
            let timestamps = &mut self.timestamps[rows.clone()];
            let targets = &mut self.targets[rows.clone()];
            if !timestamps.is_sorted() {
                let order = sort(timestamps, cancel)?;
                reorder(targets, &order);
                for column in &mut self.covariates {
                    reorder(&mut column[rows.clone()], &order);
                }
            }
            let repeats = || timestamps.windows(2).filter(|pair| pair[0] == pair[1]);
            let duplicates = repeats().count();
            let values = targets.iter().filter(|value| !value.is_nan()).count();
            let note = |list: &mut Vec<usize>| {
                if list.len() < NAMED {
                    list.push(index);
                }
            };
            if duplicates > 0 {
                finding.duplicate_rows += duplicates as u64;
                finding.first_duplicate = finding.first_duplicate.or(repeats().next().map(|pair| pair[0]));
                note(&mut finding.duplicates);
            }
            if values == 0 {
                finding.all_null_items += 1;
                note(&mut finding.all_null);
            } else if values == 1 {
                finding.too_few_items += 1;
                note(&mut finding.too_few);
            }
        }
        Ok(finding)
    }
}

/// Sorts the stamps of one series and returns the old positions of its rows, in their new order.
///
/// Sorts in pieces first, so that a cancelled read need not wait for the longest series; the sort of the whole then
/// only merges.
fn sort(timestamps: &mut [Micros], cancel: &AtomicBool) -> Result<Vec<(Micros, u32)>, ReadError> {
    let mut rows: Vec<(Micros, u32)> = timestamps.iter().copied().zip(0..).collect();
    for piece in rows.chunks_mut(SORTED_ROWS) {
        if cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        piece.sort_by_key(|(timestamp, _)| *timestamp);
    }
    rows.sort_by_key(|(timestamp, _)| *timestamp);
    for (slot, (timestamp, _)) in timestamps.iter_mut().zip(&rows) {
        *slot = *timestamp;
    }
    Ok(rows)
}

fn reorder<T: Copy>(column: &mut [T], order: &[(Micros, u32)]) {
    let sorted: Vec<T> = order.iter().map(|(_, row)| column[*row as usize]).collect();
    column.copy_from_slice(&sorted);
}
