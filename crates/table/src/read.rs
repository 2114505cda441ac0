//! Reads files into a panel.

use std::io;
use std::path::Path;

use tabcast_calendar::Decision;

use crate::batch::{Part, in_order, total};
use crate::content::Content;
use crate::dates::{DateReading, Dates};
use crate::group::{Grouped, group, number_series};
use crate::input::Input;
use crate::refusals::no_rows;
use crate::verify::verify;
use crate::{
    FileFormat, Panel, ReadError, ReadOptions, crossing, csv, json, parquet_file, schema, spreadsheet,
};

/// Reads long-format files into a panel, with every check of their content.
///
/// Files are read in stretches, CSV and Parquet by `threads` threads. Memory is about 24 bytes per row at its peak and
/// 16 afterwards, and for each covariate 16 and 8 more, whatever else the files contain. With [`ReadOptions::scratch`],
/// stamps and targets of a large table lie in files without a name, of which little is in memory at a time.
///
/// # Errors
/// [`ReadError::Content`] for faults that the sender can correct, otherwise `Cancelled` or `Io`. Which of several
/// faults is reported does not depend on the number of threads.
pub fn read_panel(options: &ReadOptions) -> Result<Panel, ReadError> {
    in_pool(options.threads, || {
        let (parts, dates) = read_parts(options)?;
        to_panel(parts, dates, options)
    })
}

/// Runs `work` in a pool of this many threads.
pub(crate) fn in_pool<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, ReadError> + Send,
) -> Result<T, ReadError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.max(1))
        .thread_name(|index| format!("table-{index}"))
        .build()
        .map_err(io::Error::other)?;
    pool.install(work)
}

/// Checks what precedes the rows of the files: that the files have their declared format, and the columns.
///
/// Reads the first line of a CSV file, the footer of a Parquet file, or the first objects of JSON: the cost does not
/// depend on the number of rows. A workbook is inflated once, as it is before every read.
///
/// # Errors
/// The errors of [`read_panel`] that need no row.
pub fn check_columns(options: &ReadOptions) -> Result<(), ReadError> {
    each_file(options, |path| check_file(path, options))
}

/// Reads all rows of all files, with as many threads as the current pool has. Batches are numbered in the order of the
/// files. A time column that begins with a date whose year comes last is read twice, the second time in the order that
/// its dates show.
pub(crate) fn read_parts(options: &ReadOptions) -> Result<(Vec<Part>, DateReading), ReadError> {
    let mut parts = read_once(options)?;
    let mut dates = dates_of(&mut parts, options);
    if let Decision::Order(order) = dates.decide() {
        drop(parts);
        parts = read_once(&ReadOptions { date_order: Some(order), ..options.clone() })?;
        dates.take_finer(dates_of(&mut parts, options));
    }
    Ok((parts, dates.finish(&options.columns.timestamp)))
}

fn dates_of(parts: &mut [Part], options: &ReadOptions) -> Dates {
    let (mut dates, mut before) = (Dates::default(), 0);
    for batch in in_order(parts) {
        dates.append(std::mem::take(&mut batch.dates), before);
        before += batch.records;
        // How much lies beyond the end of a read depends on the threads.
        if batch.fatal.is_some() || before > options.limits.max_rows {
            break;
        }
    }
    dates
}

fn read_once(options: &ReadOptions) -> Result<Vec<Part>, ReadError> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut records, mut first_index) = (0, 0);
    let mut ended = false;
    each_file(options, |path| {
        // The error that ended the read of an earlier file is the one to report.
        if ended {
            return Ok(Vec::new());
        }
        // Every file has a row, so the table continues with this one.
        let is_behind = options.limits.stop_after.is_some_and(|most| records >= most);
        if let Some(part) = parts.last_mut().filter(|_| is_behind) {
            part.truncated = true;
            ended = true;
            return Ok(Vec::new());
        }
        let mut content = read_file(path, options, records)?;
        let mut next_index = first_index;
        for batch in content.parts.iter_mut().flat_map(|part| &mut part.batches) {
            batch.index += first_index;
            next_index = next_index.max(batch.index + 1);
            records += batch.records;
            ended |= batch.fatal.is_some();
        }
        first_index = next_index;
        ended |= records > options.limits.max_rows || content.parts.iter().any(|part| part.truncated);
        parts.append(&mut content.parts);
        Ok(content.columns)
    })?;
    Ok(parts)
}

/// Visits the files in their order, and compares the names of their columns.
fn each_file(
    options: &ReadOptions,
    mut visit: impl FnMut(&Path) -> Result<Vec<String>, ReadError>,
) -> Result<(), ReadError> {
    if let Some(hierarchy) = &options.columns.hierarchy {
        hierarchy.check()?;
    }
    let mut first = Vec::new();
    for (index, path) in options.paths.iter().enumerate() {
        let columns = visit(path).map_err(|error| match error {
            ReadError::Content(error) if options.paths.len() > 1 => schema::in_part(*error, index).into(),
            error => error,
        })?;
        if index == 0 {
            first = columns;
        } else {
            schema::compare(&first, &columns, index)?;
        }
    }
    Ok(())
}

/// The files before this one have `before` rows.
fn read_file(path: &Path, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    let input = Input::open(path)?;
    match options.format {
        FileFormat::Csv => csv::read(input.text(options.compression)?, options, before),
        FileFormat::Json | FileFormat::Jsonl => json::read(input.text(options.compression)?, options, before),
        FileFormat::Parquet => parquet_file::read(input.plain(options.compression)?, options, before),
        FileFormat::Xlsx | FileFormat::Xls => {
            spreadsheet::read(input.plain(options.compression)?, options, before)
        }
    }
}

fn check_file(path: &Path, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    let input = Input::open(path)?;
    match options.format {
        FileFormat::Csv => csv::check_header(input.text(options.compression)?, options),
        FileFormat::Json | FileFormat::Jsonl => json::check(input.text(options.compression)?, options),
        FileFormat::Parquet => parquet_file::check_footer(input.plain(options.compression)?, options),
        FileFormat::Xlsx | FileFormat::Xls => spreadsheet::check(input.plain(options.compression)?, options),
    }
}

fn to_panel(mut parts: Vec<Part>, dates: DateReading, options: &ReadOptions) -> Result<Panel, ReadError> {
    let totals = total(&mut parts, &options.limits);
    if let Some(error) = totals.fatal {
        return Err(dates.explain(error).into());
    }
    if totals.records == 0 {
        return Err(no_rows().into());
    }
    let faults = totals.faults.into_error(&options.columns);
    let Grouped { mut panel, mut covariates, kinds, infinite, ambiguous } = match faults {
        // Too many ids can also stop the read early; that error takes precedence.
        Some(error) => {
            number_series(&mut parts, options)?;
            return Err(dates.explain(error).into());
        }
        None => group(parts, options)?,
    };
    if let Some(error) = ambiguous {
        return Err(error.into());
    }
    verify(&mut panel, &mut covariates, &dates, options)?;
    panel.warnings.extend(totals.zones.warning(totals.records));
    panel.warnings.extend(dates.warning);
    let crossed =
        options.columns.hierarchy.as_ref().and_then(|hierarchy| crossing::warning(&panel.ids, hierarchy));
    panel.warnings.extend(crossed);
    let names = &options.columns.covariates;
    for (((name, kind), cells), infinite) in names.iter().zip(kinds).zip(covariates).zip(infinite) {
        let (covariate, warning) = kind.finish(name, cells, infinite, panel.rows);
        panel.covariates.push(covariate);
        panel.warnings.extend(warning);
    }
    Ok(panel)
}
