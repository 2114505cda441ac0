//! Collects rows whose cells arrive one at a time with types, as in JSON and spreadsheets.

use std::sync::atomic::Ordering;

use tabcast_calendar::{MAX_MICROS, MIN_MICROS, Micros, is_finer_than_micros, parse_timestamp_in};

use crate::batch::{Batch, Part};
use crate::composite::Path;
use crate::covariates::Cell;
use crate::faults::Fault;
use crate::interner::Interner;
use crate::number::{Number, parse_number};
use crate::roles::Role;
use crate::value::Value;
use crate::{ContentError, ReadError, ReadOptions};

/// Number of rows per batch.
const BATCH: u64 = 65_536;
/// Number of rows between two checks of the cancel flag.
const CANCEL_ROWS: u64 = 1_024;

/// Collects rows, cell by cell, in the order of the file.
pub(crate) struct Rows<'a> {
    options: &'a ReadOptions<'a>,
    part: Part,
    batch: Batch,
    /// Number of rows of this file and of those before it.
    records: u64,
    item: Option<u32>,
    /// The hierarchy cells.
    levels: Path<String>,
    /// The item id beside the hierarchy.
    checked: Option<u32>,
    timestamp: Option<Micros>,
    target: Option<f64>,
    covariates: Vec<Cell>,
    /// Whether the row has an item id, a timestamp and a target.
    seen: [bool; 3],
    /// Which hierarchy cells the row has.
    seen_levels: Vec<bool>,
    /// A printed cell, kept for its allocation.
    printed: String,
}

impl<'a> Rows<'a> {
    /// The files before this one have `before` rows.
    pub(crate) fn new(options: &'a ReadOptions<'a>, before: u64) -> Rows<'a> {
        let columns = &options.columns;
        let covariates = columns.covariates.len();
        Rows {
            options,
            part: Part::new(columns),
            batch: Batch::with_capacity(0, 0, covariates),
            records: before,
            item: None,
            levels: Path::new(columns.levels().len()),
            checked: None,
            timestamp: None,
            target: None,
            covariates: vec![Cell::missing(); covariates],
            seen: [false; 3],
            seen_levels: vec![false; columns.levels().len()],
            printed: String::new(),
        }
    }

    /// Starts a row; `false` if it comes after the last row to read.
    pub(crate) fn begin_row(&mut self) -> bool {
        let is_behind = self.options.limits.stop_after.is_some_and(|most| self.records >= most);
        self.part.truncated |= is_behind;
        !is_behind
    }

    /// Puts a cell into the current row; a later cell of the same column replaces it.
    ///
    /// # Errors
    /// For a cell that is invalid in any column.
    pub(crate) fn set(&mut self, role: Role, value: Value) -> Result<(), Box<ContentError>> {
        value.check(&self.options.limits)?;
        match role {
            Role::ItemId => {
                self.seen[0] = true;
                self.item = self.number(value, |part| &mut part.interner);
                if self.item.is_none() {
                    self.note(Fault::MissingItemId, "");
                }
            }
            Role::CheckedId => self.checked = self.number(value, |part| &mut part.identities.items),
            Role::Level(level) => {
                self.seen_levels[level] = true;
                self.set_level(level, value);
            }
            Role::Timestamp => {
                self.seen[1] = true;
                self.timestamp = self.timestamp(value);
            }
            Role::Target => {
                self.seen[2] = true;
                self.target = self.target(value);
            }
            Role::Covariate(index) => {
                let texts = &mut self.part.texts[index];
                self.covariates[index] = match value {
                    Value::Empty | Value::Time(None) => Cell::missing(),
                    Value::Number(value) if value.is_finite() => Cell::number(value),
                    Value::Integer(value) => Cell::number(value as f64),
                    Value::Text(text) => texts.cell(parse_number(text.as_bytes()), text.as_bytes()),
                    value => {
                        let text = value.print();
                        texts.cell(parse_number(text.as_bytes()), text.as_bytes())
                    }
                };
            }
        }
        Ok(())
    }

    /// Ends the current row; `false` if no further row is needed.
    pub(crate) fn end_row(&mut self) -> Result<bool, ReadError> {
        // If a hierarchy identifies the series, the item id is an ordinary column.
        self.seen[0] |= self.part.composer.is_some();
        for (role, seen) in [Role::ItemId, Role::Timestamp, Role::Target].into_iter().zip(self.seen) {
            if !seen {
                self.set(role, Value::Empty)?;
            }
        }
        for level in 0..self.seen_levels.len() {
            if !self.seen_levels[level] {
                self.set_level(level, Value::Empty);
            }
        }
        let Part { composer, interner, .. } = &mut self.part;
        if let Some(composer) = composer {
            let (faults, row) = (&mut self.batch.faults, self.batch.records);
            self.item = composer.series(&mut self.levels, interner, faults, row);
        }
        let checked = self.checked.take();
        if let (Some(item), Some(timestamp), Some(target)) = (self.item, self.timestamp, self.target) {
            self.batch.push(item, timestamp, target);
            self.part.identities.note(item, checked);
        }
        for (column, cell) in self.batch.covariates.iter_mut().zip(&mut self.covariates) {
            column.push(std::mem::replace(cell, Cell::missing()));
        }
        self.seen = [false; 3];
        self.seen_levels.fill(false);
        self.batch.records += 1;
        self.records += 1;
        if self.records.is_multiple_of(CANCEL_ROWS) && self.options.cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        if self.batch.records == BATCH {
            self.end_batch()?;
        }
        let limits = &self.options.limits;
        let is_last = self.records > limits.max_rows
            || self.part.has_too_many(limits)
            || self.part.batches.last().is_some_and(|batch| batch.fatal.is_some());
        Ok(!is_last)
    }

    /// Ends the read with a fault of the current row.
    pub(crate) fn fail(&mut self, error: ContentError) {
        self.batch.fatal = Some((error, Some(self.batch.records)));
    }

    pub(crate) fn finish(mut self) -> Result<Vec<Part>, ReadError> {
        self.end_batch()?;
        Ok(vec![self.part])
    }

    fn end_batch(&mut self) -> Result<(), ReadError> {
        let index = self.batch.index;
        self.batch.refuse_repeats(&self.part.interner, &self.options.columns);
        let next = Batch::with_capacity(index + 1, 0, self.covariates.len());
        self.part.keep(std::mem::replace(&mut self.batch, next), self.options)
    }

    /// The number of an id, unless the cell is empty.
    fn number(&mut self, value: Value, ids: impl Fn(&mut Part) -> &mut Interner) -> Option<u32> {
        let id = value.text(&mut self.printed);
        (!id.is_empty()).then(|| ids(&mut self.part).intern(id.as_bytes()))
    }

    fn set_level(&mut self, level: usize, value: Value) {
        let text = value.text(&mut self.printed);
        if self.levels.values[level] != *text {
            text.clone_into(&mut self.levels.values[level]);
            self.levels.series = None;
        }
    }

    fn timestamp(&mut self, value: Value) -> Option<Micros> {
        let printed;
        let text = match value {
            Value::Time(micros) => {
                self.batch.dates.note_typed();
                let within = micros.filter(|micros| (MIN_MICROS..=MAX_MICROS).contains(micros));
                if within.is_none() {
                    self.note(Fault::TimestampOutOfRange, "");
                }
                return within;
            }
            Value::Text(text) => text,
            value => {
                printed = value.print();
                &printed
            }
        };
        let order = self.options.date_order;
        let Some(stamp) = parse_timestamp_in(text.as_bytes(), order) else {
            self.batch.note_unreadable_time(order, self.batch.records, text.as_bytes());
            return None;
        };
        if let Some(offset) = stamp.offset_seconds {
            self.batch.zones.count(offset, 1);
        }
        if is_finer_than_micros(text.as_bytes()) {
            self.batch.dates.note_finer(self.batch.records, text.as_bytes());
        }
        Some(stamp.micros)
    }

    fn target(&mut self, value: Value) -> Option<f64> {
        let (number, text) = match value {
            Value::Empty => (Number::Null, String::new()),
            Value::Number(value) if value.is_finite() => return Some(value),
            Value::Integer(value) => return Some(value as f64),
            Value::Text(text) => match parse_number(text.as_bytes()) {
                Number::Value(value) => return Some(value),
                number => (number, text.to_owned()),
            },
            Value::Number(_) => (Number::NonFinite, value.print()),
            Value::Boolean(_) | Value::Time(_) => (Number::Text, value.print()),
        };
        match number {
            Number::NonFinite => self.note(Fault::NonFiniteTarget, &text),
            Number::Text => self.note(Fault::NonNumericTarget, &text),
            Number::Value(_) | Number::Null => return Some(f64::NAN),
        }
        None
    }

    fn note(&mut self, fault: Fault, cell: &str) {
        self.batch.faults.note(fault, self.batch.records, cell.as_bytes());
    }
}
