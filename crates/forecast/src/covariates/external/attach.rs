//! Adds external values to the rows of a panel.

use rayon::prelude::*;
use tabcast_calendar::{Frequency, Micros};
use tabcast_table::{Covariate, CovariateValues, MISSING_CATEGORY, Panel};

use super::grids::{Grid, Grids};
use super::values::GridValues;

/// Adds the covariates to the panel, and a row without a target for each step ahead that lacks one; returns the number
/// of rows added.
pub(super) fn attach(panel: &mut Panel, frequency: Frequency, grids: &Grids, values: GridValues) -> usize {
    let missing = missing_rows(panel, frequency, grids);
    if !missing.is_empty() {
        insert(panel, &missing);
    }
    let runs = runs_of_steps(panel, frequency, grids);
    let GridValues { columns, values } = values;
    let added = columns.into_par_iter().enumerate().map(|(column, name)| {
        let mut numbers = Vec::with_capacity(panel.timestamps.len());
        for run in &runs {
            let end = numbers.len() + run.rows;
            if let Some((grid, step)) = run.from {
                let known = values[grid as usize][column].get(step as usize..).unwrap_or_default();
                numbers.extend_from_slice(&known[..run.rows.min(known.len())]);
            }
            numbers.resize(end, f64::NAN);
        }
        Covariate { name, values: CovariateValues::Numbers(numbers) }
    });
    let added: Vec<Covariate> = added.collect();
    panel.covariates.extend(added);
    missing.len()
}

/// A row to insert: its position, its series and its stamp.
struct NewRow {
    before: usize,
    series: usize,
    stamp: Micros,
}

/// The missing rows, in the order of the panel.
fn missing_rows(panel: &Panel, frequency: Frequency, grids: &Grids) -> Vec<NewRow> {
    let mut missing = Vec::new();
    for (series, ends) in panel.offsets.windows(2).enumerate() {
        let Some(grid) = grids.of_series[series].map(|grid| grids.parts[grid as usize]) else { continue };
        let origin = grids.axes[grid.axis].origin;
        let last = frequency.advance(origin, grid.last);
        let mut row = ends[0] + panel.timestamps[ends[0]..ends[1]].partition_point(|stamp| *stamp <= last);
        for step in 1..=grid.ahead as i64 {
            let stamp = frequency.advance(origin, grid.last + step);
            while row < ends[1]
                && panel.timestamps[row] < stamp
                && !is_step(frequency, last, panel.timestamps[row], step)
            {
                row += 1;
            }
            if row < ends[1] && is_step(frequency, last, panel.timestamps[row], step) {
                row += 1;
            } else {
                missing.push(NewRow { before: row, series, stamp });
            }
        }
    }
    missing
}

fn is_step(frequency: Frequency, last: Micros, stamp: Micros, step: i64) -> bool {
    frequency.steps_between(last, stamp) == Some(step)
}

fn insert(panel: &mut Panel, missing: &[NewRow]) {
    let Panel { timestamps, targets, covariates, .. } = panel;
    let insert_numbers = |numbers: &mut Vec<f64>| insert_rows(numbers, missing, |_| f64::NAN);
    rayon::join(
        || {
            let mut stamps = std::mem::take(timestamps).into_vec();
            insert_rows(&mut stamps, missing, |row| row.stamp);
            *timestamps = stamps.into();
        },
        || {
            let mut numbers = std::mem::take(targets).into_vec();
            insert_numbers(&mut numbers);
            *targets = numbers.into();
            covariates.par_iter_mut().for_each(|covariate| match &mut covariate.values {
                CovariateValues::Numbers(numbers) => insert_numbers(numbers),
                CovariateValues::Categories { codes, .. } => {
                    insert_rows(codes, missing, |_| MISSING_CATEGORY);
                }
                CovariateValues::Unusable { .. } => {}
            });
        },
    );
    let mut added = 0;
    let mut rows = missing.iter().peekable();
    for (series, end) in panel.offsets[1..].iter_mut().enumerate() {
        while rows.next_if(|row| row.series == series).is_some() {
            added += 1;
        }
        *end += added;
    }
}

/// Spreads the rows in place, starting from the last one: copying a large column would cost more than moving it.
fn insert_rows<T: Copy>(column: &mut Vec<T>, missing: &[NewRow], new: impl Fn(&NewRow) -> T) {
    let Some(last) = missing.last() else { return };
    let mut end = column.len();
    column.resize(end + missing.len(), new(last));
    for (before, row) in missing.iter().enumerate().rev() {
        column.copy_within(row.before..end, row.before + before + 1);
        column[row.before + before] = new(row);
        end = row.before;
    }
}

/// Consecutive rows of one series.
struct Run {
    rows: usize,
    /// Grid and position in its values of the first row, which the others follow; none: the rows have no values.
    from: Option<(u32, u32)>,
}

/// All runs, in the order of the rows.
fn runs_of_steps(panel: &Panel, frequency: Frequency, grids: &Grids) -> Vec<Run> {
    let per_series = panel.offsets.par_windows(2).enumerate().flat_map_iter(|(series, ends)| {
        let grid = grids.of_series[series].map(|number| (number, &grids.parts[number as usize]));
        let mut runs: Vec<Run> = Vec::new();
        for stamp in &panel.timestamps[ends[0]..ends[1]] {
            let from =
                grid.and_then(|(number, grid)| Some((number, place_on(grid, grids, frequency, *stamp)?)));
            match runs.last_mut() {
                Some(run) if run.is_followed_by(from) => run.rows += 1,
                _ => runs.push(Run { rows: 1, from }),
            }
        }
        runs
    });
    per_series.collect()
}

impl Run {
    fn is_followed_by(&self, next: Option<(u32, u32)>) -> bool {
        next == self
            .from
            .and_then(|(grid, step)| Some((grid, step.checked_add(u32::try_from(self.rows).ok()?)?)))
    }
}

fn place_on(grid: &Grid, grids: &Grids, frequency: Frequency, stamp: Micros) -> Option<u32> {
    let step = frequency.steps_between(grids.axes[grid.axis].origin, stamp)?;
    u32::try_from(step - grid.first()).ok()
}
