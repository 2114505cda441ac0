//! Reads files into a frame.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::names::Names;
use super::part::{Content, Part, Plan, total};
use super::resolve::{Raw, resolve, transpose};
use super::rows::Rows;
use super::taker::TakeRows;
use super::{Frame, FrameOptions, Unreadable, csv, parquet};
use crate::input::Input;
use crate::read::in_pool;
use crate::refusals::no_rows;
use crate::{ContentError, FileFormat, Kind, ReadError, ReadOptions, json, schema, spreadsheet};

/// Reads all columns of files that form one table.
///
/// Memory is 8 bytes per cell at its peak and afterwards 8 per number and 4 per text, plus each distinct text of a
/// column once. A table has at most 250 million cells. Equal tables give equal frames, whatever their format.
///
/// # Errors
/// [`ReadError::Content`] for faults that the sender can correct, otherwise `Cancelled` or `Io`. Which of several
/// faults is reported does not depend on the number of threads.
pub fn read_frame(options: &FrameOptions) -> Result<Frame, ReadError> {
    let frame = in_pool(options.threads, || {
        let read = options.as_read();
        let mut table = read_files(&read, &Plan::default())?;
        let inexact = table.inexact();
        if !inexact.is_empty() {
            let again =
                read_files(&read, &Plan { exact: Some(inexact.into_iter().collect()), ..Plan::default() })?;
            table.replace(again)?;
        }
        table.into_frame(&read)
    });
    frame.map_err(|error| match error {
        // The readers mention items, which a table does not have.
        ReadError::Content(error) if error.kind == Kind::Empty => {
            error.suggestion("Send a file with a header and rows of data.").into()
        }
        error => error,
    })
}

/// Metadata of a table whose rows were taken.
pub(crate) struct Taken {
    /// Names of all columns, in the order of the file.
    pub(crate) names: Vec<String>,
    /// Whether a column is unnamed in the file.
    pub(crate) unnamed: Vec<bool>,
    /// Columns of unsupported types.
    pub(crate) unreadable: Vec<String>,
}

/// Passes the rows of files that form one table to `taker`, in stretches, on as many threads as the current pool has.
///
/// # Errors
/// As [`read_frame`], except for its limit on cells. After an error, the rows taken so far are worthless.
pub(crate) fn take_rows(options: &ReadOptions, taker: &dyn TakeRows) -> Result<Taken, ReadError> {
    let table = read_files(options, &Plan::for_taker(taker))?;
    let unnamed = (0..table.names.len()).map(|place| table.names.is_unnamed(place)).collect();
    let unreadable = table.unreadable.into_keys().collect();
    Ok(Taken { names: table.names.to_vec(), unnamed, unreadable })
}

/// All files, as columns of undecided types.
pub(super) struct Table {
    pub(super) names: Names,
    pub(super) columns: Vec<Raw>,
    pub(super) rows: u64,
    /// By name, with the first reason for each.
    pub(super) unreadable: HashMap<String, ContentError>,
}

impl Table {
    /// Text columns with numbers whose original texts are lost.
    fn inexact(&self) -> Vec<String> {
        let columns = self.names.iter().zip(&self.columns);
        columns.filter(|(_, column)| column.is_inexact()).map(|(name, _)| name.to_owned()).collect()
    }

    /// Replaces columns by those that were read again.
    fn replace(&mut self, again: Table) -> Result<(), ReadError> {
        if again.rows != self.rows || !again.names.iter().eq(self.names.iter()) {
            return Err(io::Error::other("a file changed while it was read").into());
        }
        for (column, again) in self.columns.iter_mut().zip(again.columns) {
            if column.is_inexact() {
                *column = again;
            }
        }
        Ok(())
    }

    fn into_frame(mut self, options: &ReadOptions) -> Result<Frame, ReadError> {
        let columns = resolve(self.columns, self.rows as usize, options.cancel)?;
        let mut frame = Frame { rows: self.rows as usize, ..Frame::default() };
        for (place, column) in columns.into_iter().enumerate() {
            if column.has_value() || !self.names.is_unnamed(place) {
                let name = self.names.get(place);
                if let Some(error) = self.unreadable.remove(name) {
                    frame.unreadable.push(Unreadable { column: frame.names.len(), error });
                }
                frame.names.push(name.to_owned());
                frame.columns.push(column);
            }
        }
        Ok(frame)
    }
}

pub(super) fn read_files(options: &ReadOptions, plan: &Plan) -> Result<Table, ReadError> {
    let mut names = Names::default();
    let mut parts: Vec<Part> = Vec::new();
    let (mut records, mut first_index) = (0, 0);
    let mut unreadable = HashMap::new();
    for (index, path) in options.paths.iter().enumerate() {
        plan.first_index.store(first_index, Ordering::Relaxed);
        let mut content = read_file(path, options, plan, records).map_err(|error| match error {
            ReadError::Content(error) if options.paths.len() > 1 => schema::in_part(*error, index).into(),
            error => error,
        })?;
        if index == 0 {
            names = content.names.clone();
        } else if !matches!(options.format, FileFormat::Json | FileFormat::Jsonl) {
            schema::compare(&names.to_vec(), &content.names.to_vec(), index)?;
        }
        for (name, error) in content.unreadable.drain(..) {
            unreadable.entry(name).or_insert(error);
        }
        let mut ended = false;
        let mut next_index = first_index;
        for mut part in aligned(content, &mut names, plan)? {
            for batch in &mut part.batches {
                batch.index += first_index;
                next_index = next_index.max(batch.index + 1);
                records += batch.records;
                ended |= batch.fatal.is_some();
            }
            parts.push(part);
        }
        first_index = next_index;
        if options.cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        let has_enough = plan.taker.is_some_and(TakeRows::has_enough);
        if ended || has_enough || records > plan.most_rows(&options.limits, names.len()) {
            break;
        }
    }
    let rows = total(&mut parts, plan, &options.limits, names.len())?;
    if rows == 0 {
        return Err(no_rows().into());
    }
    let columns = transpose(parts, names.len());
    Ok(Table { names, columns, rows, unreadable })
}

/// The files before this one have `before` rows.
fn read_file(path: &Path, options: &ReadOptions, plan: &Plan, before: u64) -> Result<Content, ReadError> {
    let input = Input::open(path)?;
    let packing = options.compression;
    let mut rows = Rows::new(options, plan, before);
    match options.format {
        FileFormat::Csv => return csv::read(input.text(packing)?, options, plan, before),
        FileFormat::Parquet => return parquet::read(input.plain(packing)?, options, plan, before),
        FileFormat::Json | FileFormat::Jsonl => {
            json::scan(input.text(packing)?, options, &mut rows)?;
        }
        FileFormat::Xlsx | FileFormat::Xls => {
            if !spreadsheet::scan(input.plain(packing)?, options, &mut rows)? {
                return Err(no_rows().into());
            }
        }
    }
    Ok(rows.finish())
}

/// The parts of a file with its columns in the order of the first file, followed by new columns.
fn aligned(content: Content, names: &mut Names, plan: &Plan) -> Result<Vec<Part>, ReadError> {
    let mut places = Vec::with_capacity(content.names.len());
    for name in content.names.iter() {
        if names.position(name).is_none() {
            names.push(name.to_owned())?;
        }
        places.extend(names.position(name));
    }
    let mut parts = content.parts;
    if places.iter().copied().eq(0..names.len()) {
        return Ok(parts);
    }
    for part in &mut parts {
        let mut ordered = Part::new(names, plan);
        for (place, texts) in places.iter().zip(part.texts.drain(..)) {
            ordered.texts[*place] = texts;
        }
        part.texts = ordered.texts;
        for batch in &mut part.batches {
            let mut columns: Vec<_> = names.iter().map(|_| Vec::new()).collect();
            for (place, cells) in places.iter().zip(batch.columns.drain(..)) {
                columns[*place] = cells;
            }
            batch.columns = columns;
        }
    }
    Ok(parts)
}
