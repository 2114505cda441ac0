//! From files to a panel.

use std::io;
use std::path::Path;

use tabcast_calendar::Decision;

use crate::batch::{Part, in_order, total};
use crate::dates::{DateReading, Dates};
use crate::group::{Grouped, group, number_series};
use crate::input::Input;
use crate::verify::verify;
use crate::{
    Columns, ContentError, FileFormat, Kind, Panel, ReadError, ReadOptions, crossing, csv, json,
    parquet_file, schema, shorten, spreadsheet,
};

/// What a reader makes of one file.
pub(crate) struct Content {
    /// What its columns are called, used or not; empty where a file need not say.
    pub(crate) columns: Vec<String>,
    pub(crate) parts: Vec<Part>,
}

/// Reads long-format files into a panel, with every check of their content.
///
/// Files are read in stretches, CSV and Parquet by `threads` threads; memory is about 24 bytes a row at its peak and 16
/// after, and for each covariate 16 and 8 more, whatever else the files hold.
///
/// # Errors
/// [`ReadError::Content`] for what the sender can put right, else `Cancelled` or `Io`. Which of several faults is
/// reported does not depend on the number of threads.
pub fn read_panel(options: &ReadOptions) -> Result<Panel, ReadError> {
    in_pool(options.threads, || {
        let (parts, dates) = read_parts(options)?;
        to_panel(parts, dates, options)
    })
}

/// Runs `work` in a pool of so many threads.
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

/// Checks what the files say before their rows: that they are of their format, and have the columns.
///
/// Reads the first line of a CSV file, the footer of a Parquet file, or the first objects of JSON: the cost does not depend
/// on the number of rows. A workbook is inflated once, as it is before every read.
///
/// # Errors
/// Of the errors of [`read_panel`] those that do not need a row.
pub fn check_columns(options: &ReadOptions) -> Result<(), ReadError> {
    each_file(options, |path| check_file(path, options))
}

/// Reads all rows of all files, with as many threads as the current pool has. Batches are numbered through, in the order of
/// the files. A time column that begins with a date whose year comes last is read twice, the second time in the order that its
/// dates tell.
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
        // What lies behind the end of a read depends on the threads.
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
        // What ended the read of an earlier file is what will be told.
        if ended {
            return Ok(Vec::new());
        }
        // Every file has a row, so the table goes on with this one.
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

/// `before` rows lie in the files before this one.
fn read_file(path: &Path, options: &ReadOptions, before: u64) -> Result<Content, ReadError> {
    let input = Input::open(path)?;
    match options.format {
        FileFormat::Csv => csv::read(input.text(options.compression)?, options, before),
        FileFormat::Json => json::read_array(input.text(options.compression)?, options, before),
        FileFormat::Jsonl => json::read_lines(input.text(options.compression)?, options, before),
        FileFormat::Parquet => parquet_file::read(input.plain(options.compression)?, options, before),
        FileFormat::Xlsx => spreadsheet::read_xlsx(input.plain(options.compression)?, options, before),
        FileFormat::Xls => spreadsheet::read_xls(input.plain(options.compression)?, options, before),
    }
}

fn check_file(path: &Path, options: &ReadOptions) -> Result<Vec<String>, ReadError> {
    let input = Input::open(path)?;
    match options.format {
        FileFormat::Csv => csv::check_header(input.text(options.compression)?, options),
        FileFormat::Json => json::check_array(input.text(options.compression)?, options),
        FileFormat::Jsonl => json::check_lines(input.text(options.compression)?, options),
        FileFormat::Parquet => parquet_file::check_footer(input.plain(options.compression)?, options),
        FileFormat::Xlsx => spreadsheet::check_xlsx(input.plain(options.compression)?, options),
        FileFormat::Xls => spreadsheet::check_xls(input.plain(options.compression)?, options),
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
        // The ids alone can be too many as well, and reading stops early then: that comes first.
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

pub(crate) fn empty_file() -> ContentError {
    ContentError::new("empty_file", Kind::Empty, "The file is empty")
        .suggestion("Send a file with a header and at least two rows for each item.")
}

pub(crate) fn no_rows() -> ContentError {
    ContentError::new("no_rows", Kind::Empty, "The file has a header and no rows")
        .suggestion("Send at least two rows for each item.")
}

/// Names the missing column, those that are there, and the request's field that says which one to take.
pub fn missing_column(name: &str, columns: &Columns, found: &[String]) -> ContentError {
    let is_named_in = |list: &[String]| list.iter().any(|other| other == name);
    if is_named_in(columns.levels()) {
        return missing_listed_column(name, "hierarchy_columns", found);
    }
    if is_named_in(&columns.covariates) {
        return missing_listed_column(name, "covariates", found);
    }
    let field = match name {
        name if name == columns.item_id => "item_id_column",
        name if name == columns.timestamp => "timestamp_column",
        _ => "target_column",
    };
    no_column(name, found).suggestion(format!(
        "Set {field} to the name of that column in the file, or rename the column there."
    ))
}

/// The same for a column that `list`, a field of the request, names among others.
pub fn missing_listed_column(name: &str, list: &str, found: &[String]) -> ContentError {
    no_column(name, found).suggestion(match closest(name, found) {
        Some(header) => format!("Correct {list}; the closest column is '{}'.", shorten(header)),
        None => format!("Correct {list}, or leave the column out there."),
    })
}

fn no_column(name: &str, found: &[String]) -> ContentError {
    const LISTED: usize = 20;
    let mut listed =
        found.iter().take(LISTED).map(|name| format!("'{}'", shorten(name))).collect::<Vec<_>>().join(", ");
    if found.len() > LISTED {
        listed = format!("{listed} and {} more", found.len() - LISTED);
    }
    let message = format!("There is no column '{name}'; the file has {listed}");
    ContentError::new("missing_column", Kind::Content, message).column(name)
}

/// The header that differs from `name` in the fewest characters, case aside, and in no more than a third of them.
pub fn closest<'a>(name: &str, headers: &'a [String]) -> Option<&'a str> {
    let comparable = |text: &str| shorten(text).to_lowercase().chars().collect::<Vec<char>>();
    let name = comparable(name);
    let distances = headers.iter().map(|header| (edits(&name, &comparable(header)), header.as_str()));
    distances
        .min_by_key(|(edits, _)| *edits)
        .filter(|(edits, _)| edits * 3 <= name.len())
        .map(|(_, header)| header)
}

/// Characters to insert, leave out or replace so that one text becomes the other.
fn edits(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, left) in from.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (at, right) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(left != right);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

pub(crate) fn duplicate_column(name: &str) -> ContentError {
    ContentError::new("duplicate_column", Kind::Content, format!("There is more than one column '{name}'"))
        .column(name)
        .suggestion("Give every column its own name.")
}

/// One column cannot have two roles.
pub(crate) fn column_named_twice(name: &str, columns: &Columns) -> ContentError {
    let is_level = columns.levels().iter().any(|level| level == name);
    let list = if is_level { "hierarchy_columns" } else { "the covariates" };
    ContentError::new(
        "duplicate_column",
        Kind::Content,
        format!("The column '{}' is asked for twice", shorten(name)),
    )
    .column(name)
    .suggestion(format!("Name another column, or leave it out of {list}."))
}

pub(crate) fn too_many_columns(columns: usize, max_columns: usize) -> ContentError {
    ContentError::new(
        "too_many_columns",
        Kind::TooLarge,
        format!("The file has {columns} columns; at most {max_columns} are allowed"),
    )
    .count(columns as u64)
    .suggestion("Leave out columns that are not needed.")
}
