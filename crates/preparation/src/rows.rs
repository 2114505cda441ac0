//! Groups the used rows into series.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tabcast_calendar::Micros;
use tabcast_table::{Columns, ContentError, TextColumn, WantedColumn, WrongCell, WrongCells, wrong_cells};

use crate::Failure;
use crate::filters::Used;
use crate::input::Input;

/// Used rows, grouped into series sorted by id (in byte order), the rows of each sorted by time; rows of one time keep
/// the order of the table.
pub(crate) struct Rows {
    pub(crate) ids: Vec<Box<str>>,
    /// Series `i` has the rows `offsets[i]..offsets[i + 1]`.
    pub(crate) offsets: Vec<usize>,
    /// Their row numbers in the table.
    pub(crate) places: Vec<u32>,
    pub(crate) times: Vec<Micros>,
    /// NaN if missing.
    pub(crate) targets: Vec<f64>,
    /// Number of series without a target after filtering; they have no rows here.
    pub(crate) emptied: usize,
}

impl Rows {
    /// # Errors
    ///
    /// For used rows without a time, or with a target that is not a number.
    pub(crate) fn of(
        input: &Input,
        columns: &Columns,
        used: &Used,
        series: TextColumn,
        cancel: &AtomicBool,
    ) -> Result<Rows, Failure> {
        let (WantedColumn::Times(times, wrong_times), WantedColumn::Target(targets, wrong_targets)) =
            (input.column(&columns.timestamp), input.column(&columns.target))
        else {
            unreachable!("times and targets are read as such")
        };
        check(wrong_times, &used.rows, columns, |_| WrongCell::Timestamp)?;
        check(wrong_targets, &used.rows, columns, |text| match text.parse::<f64>() {
            Ok(number) if !number.is_finite() => WrongCell::InfiniteTarget,
            _ => WrongCell::Target,
        })?;
        let is_emptied = emptied(&series.codes, series.texts.len(), used, targets);
        let emptied = is_emptied.iter().filter(|emptied| **emptied).count();
        let (ids, offsets, mut places) = group(series, used, &is_emptied);
        sort(&mut places, &offsets, times, cancel)?;
        let times = places.par_iter().map(|place| times[*place as usize]).collect();
        let targets = places.par_iter().map(|place| targets[*place as usize]).collect();
        Ok(Rows { ids, offsets, places, times, targets, emptied })
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }
}

/// The error for the fault of the first faulty row in use.
fn check(
    wrong: &WrongCells,
    used: &[bool],
    columns: &Columns,
    kind: impl Fn(&str) -> WrongCell,
) -> Result<(), Box<ContentError>> {
    let of_used = || wrong.rows.iter().filter(|(row, _)| used[*row]);
    let text = |place: u32| &*wrong.texts[place as usize];
    let Some((row, place)) = of_used().next() else { return Ok(()) };
    let first = kind(text(*place));
    let count = of_used().filter(|(_, place)| kind(text(*place)) == first).count();
    Err(Box::new(wrong_cells(first, count as u64, *row as u64 + 1, text(*place), columns)))
}

/// The ids in use, sorted, with the starts of their rows, and the row numbers in the order of the table.
fn group(series: TextColumn, used: &Used, is_emptied: &[bool]) -> (Vec<Box<str>>, Vec<usize>, Vec<u32>) {
    let TextColumn { codes, texts } = series;
    let mut counts = vec![0_usize; texts.len()];
    let of_used = || {
        let rows = codes.iter().zip(&used.rows).enumerate();
        rows.filter(|(_, (code, used))| **used && !is_emptied[**code as usize])
    };
    for (_, (code, _)) in of_used() {
        counts[*code as usize] += 1;
    }
    let mut order: Vec<usize> = (0..texts.len()).filter(|code| counts[*code] > 0).collect();
    order.par_sort_unstable_by(|left, right| texts[*left].as_bytes().cmp(texts[*right].as_bytes()));
    let mut offsets = Vec::with_capacity(order.len() + 1);
    // The next free position for each code.
    let mut free = counts;
    let mut rows = 0;
    for code in &order {
        offsets.push(rows);
        rows += std::mem::replace(&mut free[*code], rows);
    }
    offsets.push(rows);
    let mut places = vec![0_u32; rows];
    for (row, (code, _)) in of_used() {
        let slot = &mut free[*code as usize];
        places[*slot] = row as u32;
        *slot += 1;
    }
    let mut texts: Vec<Option<Box<str>>> = texts.into_iter().map(Some).collect();
    let ids = order.into_iter().filter_map(|code| texts[code].take()).collect();
    (ids, offsets, places)
}

/// For each series, whether the filters leave rows but no target. If that is true of all, nothing is left out, and the
/// reader reports the problem.
fn emptied(codes: &[u32], series: usize, used: &Used, targets: &[f64]) -> Vec<bool> {
    let (mut has_row, mut has_target) = (vec![false; series], vec![false; series]);
    let of_used = codes.iter().zip(targets).zip(&used.rows).filter(|(_, used)| **used);
    for ((code, target), _) in of_used {
        has_row[*code as usize] = true;
        has_target[*code as usize] |= !target.is_nan();
    }
    if used.filtered.is_empty() || !has_target.contains(&true) {
        return vec![false; series];
    }
    has_row.into_iter().zip(has_target).map(|(has_row, has_target)| has_row && !has_target).collect()
}

/// Sorts the rows of each series by time, unless they are sorted already.
fn sort(places: &mut [u32], offsets: &[usize], times: &[Micros], cancel: &AtomicBool) -> Result<(), Failure> {
    let mut rest = places;
    let mut series = Vec::with_capacity(offsets.len());
    for pair in offsets.windows(2) {
        let (rows, others) = rest.split_at_mut(pair[1] - pair[0]);
        rest = others;
        series.push(rows);
    }
    series.into_par_iter().try_for_each(|rows| {
        if cancel.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        if !rows.is_sorted_by_key(|place| times[*place as usize]) {
            rows.sort_by_key(|place| times[*place as usize]);
        }
        Ok(())
    })
}
