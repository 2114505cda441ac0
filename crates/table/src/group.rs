//! Groups batches into series.

use std::ops::DerefMut;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tabcast_calendar::Micros;

use crate::batch::{Batch, ItemRun, Part};
use crate::column::Column;
use crate::covariates::{Cell, Resolved, resolve};
use crate::freed_memory::give_back;
use crate::identity::{find_ambiguous, find_ambiguous_level};
use crate::interner::Interner;
use crate::numbering::number;
use crate::refusals::too_many_series;
use crate::{ContentError, Ids, Panel, ReadError, ReadOptions};

/// Rows grouped into series, before the rows of each are sorted.
pub(crate) struct Grouped {
    pub(crate) panel: Panel,
    /// One column per covariate; empty for one that is not used.
    pub(crate) covariates: Vec<Vec<Cell>>,
    /// The types of the covariates.
    pub(crate) kinds: Vec<Resolved>,
    /// Number of infinite cells of each covariate.
    pub(crate) infinite: Vec<u64>,
    /// The error in the item ids beside those of a hierarchy.
    pub(crate) ambiguous: Option<ContentError>,
}

/// Groups all rows into series sorted by id; within a series, rows keep the order of the file.
pub(crate) fn group(mut parts: Vec<Part>, options: &ReadOptions) -> Result<Grouped, ReadError> {
    let (ids, ambiguous) = number_series(&mut parts, options)?;
    let named = options.columns.covariates.iter().enumerate();
    let kinds = named
        .map(|(index, name)| resolve(&mut parts, index, name, &options.limits))
        .collect::<Result<Vec<_>, _>>()
        .map_err(ReadError::Content)?;
    let infinite = |index: usize| parts.iter().map(|part| part.texts[index].infinite).sum();
    let infinite: Vec<u64> = (0..kinds.len()).map(infinite).collect();
    let mut batches: Vec<Batch> = parts.into_iter().flat_map(|part| part.batches).collect();
    batches.sort_unstable_by_key(|batch| batch.index);
    let mut offsets = vec![0; ids.len() + 1];
    for run in batches.iter().flat_map(|batch| &batch.runs) {
        offsets[run.item as usize + 1] += run.rows as usize;
    }
    for index in 1..offsets.len() {
        offsets[index] += offsets[index - 1];
    }
    let rows = offsets[ids.len()];
    // One column after the other, so that the batches' copy of a column is freed before the next one is allocated.
    // A table of which any batch lies in a file has too many rows for memory.
    let folder = (options.scratch.as_ref().map(|scratch| scratch.folder.as_path()))
        .filter(|_| batches.iter().any(|batch| batch.in_file));
    let timestamps = Column::zeros(rows, folder)?;
    let timestamps = scatter(&batches, |batch| &*batch.timestamps, &offsets, timestamps, options.cancel)?;
    batches.par_iter_mut().for_each(|batch| batch.timestamps = Column::default());
    give_back(rows * size_of::<Micros>());
    let targets = Column::zeros(rows, folder)?;
    let targets = scatter(&batches, |batch| &*batch.targets, &offsets, targets, options.cancel)?;
    batches.par_iter_mut().for_each(|batch| batch.targets = Column::default());
    give_back(rows * size_of::<f64>());
    let mut covariates = Vec::with_capacity(kinds.len());
    for (index, kind) in kinds.iter().enumerate() {
        covariates.push(if let Resolved::Unusable(_) = kind {
            Vec::new()
        } else {
            let cells = vec![Cell::default(); rows];
            scatter(&batches, |batch| batch.covariates[index].as_slice(), &offsets, cells, options.cancel)?
        });
        batches.par_iter_mut().for_each(|batch| batch.covariates[index] = Vec::new());
        give_back(rows * size_of::<Cell>());
    }
    let panel = Panel { ids, offsets, timestamps, targets, rows, ..Panel::default() };
    Ok(Grouped { panel, covariates, kinds, infinite, ambiguous })
}

/// Sorts the ids of all threads and converts the runs from each thread's numbers to the series' numbers. Also returns
/// the error in the item ids beside those of a hierarchy.
pub(crate) fn number_series(
    parts: &mut [Part],
    options: &ReadOptions,
) -> Result<(Ids, Option<ContentError>), ReadError> {
    let (columns, limits) = (&options.columns, &options.limits);
    let interners: Vec<&Interner> = parts.iter().map(|part| &part.interner).collect();
    let series = number(&interners);
    if series.ids.len() > limits.max_series {
        return Err(too_many_series(limits.max_series).into());
    }
    let ambiguous = match (&columns.hierarchy, columns.item_id_level()) {
        (None, _) => None,
        (Some(_), None) => find_ambiguous(parts, &series, &columns.item_id, limits)?,
        (Some(hierarchy), Some(level)) => find_ambiguous_level(&series.ids, level, hierarchy),
    };
    for (part, places) in parts.iter_mut().zip(&series.places) {
        part.batches.par_iter_mut().for_each(|batch| {
            for run in &mut batch.runs {
                run.item = places[run.item as usize];
            }
        });
    }
    Ok((series.ids, ambiguous))
}

/// Copies one column of all batches to the positions of its series in `out`.
///
/// Each thread owns a range of series, walks through all runs and copies those of its range. So no two threads write to
/// the same position, and rows arrive in the order of the file.
fn scatter<T: Copy + Send + Sync, C: DerefMut<Target = [T]>>(
    batches: &[Batch],
    column: impl Fn(&Batch) -> &[T] + Sync,
    offsets: &[usize],
    mut out: C,
    cancel: &AtomicBool,
) -> Result<C, ReadError> {
    let rows = offsets[offsets.len() - 1];
    let mut rest: &mut [T] = &mut out;
    let mut shares = Vec::new();
    let mut first = 0;
    for share in 1..=rayon::current_num_threads() {
        let end = rows * share / rayon::current_num_threads();
        let last = offsets.partition_point(|offset| *offset < end).max(first);
        let (slice, others) = rest.split_at_mut(offsets[last] - offsets[first]);
        rest = others;
        shares.push((first..last, slice));
        first = last;
    }
    shares.into_par_iter().try_for_each(|(series, slice)| {
        let base = offsets[series.start];
        let mut free: Vec<usize> = offsets[series.clone()].iter().map(|offset| offset - base).collect();
        for batch in batches {
            if cancel.load(Ordering::Relaxed) {
                return Err(ReadError::Cancelled);
            }
            copy_runs(&batch.runs, column(batch), series.start, &mut free, slice);
            batch.release();
        }
        Ok(())
    })?;
    Ok(out)
}

fn copy_runs<T: Copy>(runs: &[ItemRun], column: &[T], first: usize, free: &mut [usize], out: &mut [T]) {
    let mut from = 0;
    for run in runs {
        let rows = run.rows as usize;
        if let Some(to) = (run.item as usize).checked_sub(first).and_then(|series| free.get_mut(series)) {
            if rows == 1 {
                out[*to] = column[from];
            } else {
                out[*to..*to + rows].copy_from_slice(&column[from..from + rows]);
            }
            *to += rows;
        }
        from += rows;
    }
}
