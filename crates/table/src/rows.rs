//! Rows whose cells come one at a time and have types, as JSON and spreadsheets have them.

use std::sync::atomic::Ordering;

use tabcast_calendar::{MAX_MICROS, MIN_MICROS, Micros, parse_timestamp, write_pandas};

use crate::batch::{Batch, Part};
use crate::covariates::Cell;
use crate::csv::{cell_too_long, nul_bytes};
use crate::faults::Fault;
use crate::number::{Number, parse_number};
use crate::roles::Role;
use crate::{ContentError, ReadError, ReadOptions};

/// Rows of one batch.
const BATCH: u64 = 65_536;
/// Rows between two looks at the cancel flag.
const CANCEL_ROWS: u64 = 1_024;

/// What a cell holds. Each value means what its text would mean in a CSV file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'a> {
    Empty,
    Text(&'a str),
    Number(f64),
    /// Kept apart because item ids and Unix times may have more digits than a double.
    Integer(i128),
    Boolean(bool),
    /// `None` lies outside the years that can be read.
    Time(Option<Micros>),
}

impl Value<'_> {
    /// What the cell would be in a CSV file.
    pub(crate) fn print(self) -> String {
        match self {
            Value::Empty | Value::Time(None) => String::new(),
            Value::Text(text) => text.to_owned(),
            Value::Number(value) => value.to_string(),
            Value::Integer(value) => value.to_string(),
            Value::Boolean(value) => value.to_string(),
            Value::Time(Some(micros)) => {
                let mut text = Vec::new();
                write_pandas(micros, &mut text);
                let text = String::from_utf8_lossy(&text);
                text.strip_suffix(" 00:00:00").unwrap_or(&text).to_owned()
            }
        }
    }
}

/// Collects rows, cell by cell, in the order of the file.
pub(crate) struct Rows<'a> {
    options: &'a ReadOptions<'a>,
    part: Part,
    batch: Batch,
    /// Rows of this file and of those before it.
    records: u64,
    item: Option<u32>,
    timestamp: Option<Micros>,
    target: Option<f64>,
    covariates: Vec<Cell>,
    /// Which of item id, timestamp and target the row has.
    seen: [bool; 3],
}

impl<'a> Rows<'a> {
    /// `before` rows lie in the files before this one.
    pub(crate) fn new(options: &'a ReadOptions<'a>, before: u64) -> Rows<'a> {
        let covariates = options.columns.covariates.len();
        Rows {
            options,
            part: Part::new(covariates),
            batch: Batch::with_capacity(0, 0, covariates),
            records: before,
            item: None,
            timestamp: None,
            target: None,
            covariates: vec![Cell::missing(); covariates],
            seen: [false; 3],
        }
    }

    /// Begins a row; `false` when it lies behind the last one to be read.
    pub(crate) fn begin_row(&mut self) -> bool {
        let is_behind = self.options.limits.stop_after.is_some_and(|most| self.records >= most);
        self.part.truncated |= is_behind;
        !is_behind
    }

    /// Puts a cell into the current row; a later cell of the same column replaces it.
    ///
    /// # Errors
    /// For a cell that no column may have.
    pub(crate) fn set(&mut self, role: Role, value: Value) -> Result<(), Box<ContentError>> {
        if let Value::Text(text) = value {
            self.check_text(text)?;
        }
        match role {
            Role::ItemId => {
                self.seen[0] = true;
                self.item = self.item_id(value);
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

    /// Ends the current row; `false` when no further row need be read.
    pub(crate) fn end_row(&mut self) -> Result<bool, ReadError> {
        for (role, seen) in [Role::ItemId, Role::Timestamp, Role::Target].into_iter().zip(self.seen) {
            if !seen {
                self.set(role, Value::Empty)?;
            }
        }
        if let (Some(item), Some(timestamp), Some(target)) = (self.item, self.timestamp, self.target) {
            self.batch.push(item, timestamp, target);
        }
        for (column, cell) in self.batch.covariates.iter_mut().zip(&mut self.covariates) {
            column.push(std::mem::replace(cell, Cell::missing()));
        }
        self.seen = [false; 3];
        self.batch.records += 1;
        self.records += 1;
        if self.records.is_multiple_of(CANCEL_ROWS) && self.options.cancel.load(Ordering::Relaxed) {
            return Err(ReadError::Cancelled);
        }
        if self.batch.records == BATCH {
            self.end_batch();
        }
        let limits = &self.options.limits;
        let is_last = self.records > limits.max_rows
            || self.part.interner.len() > limits.max_series
            || self.part.batches.last().is_some_and(|batch| batch.fatal.is_some());
        Ok(!is_last)
    }

    /// Ends the read with what is wrong with the current row.
    pub(crate) fn fail(&mut self, error: ContentError) {
        self.batch.fatal = Some((error, Some(self.batch.records)));
    }

    pub(crate) fn finish(mut self) -> Vec<Part> {
        self.end_batch();
        vec![self.part]
    }

    fn end_batch(&mut self) {
        let index = self.batch.index;
        self.batch.refuse_repeats(&self.part.interner, &self.options.columns);
        let next = Batch::with_capacity(index + 1, 0, self.covariates.len());
        self.part.batches.push(std::mem::replace(&mut self.batch, next));
    }

    fn check_text(&self, text: &str) -> Result<(), Box<ContentError>> {
        let longest = self.options.limits.max_cell_chars;
        if text.len() > longest && text.chars().count() > longest {
            return Err(cell_too_long(longest).into());
        }
        if memchr::memchr(0, text.as_bytes()).is_some() { Err(nul_bytes().into()) } else { Ok(()) }
    }

    fn item_id(&mut self, value: Value) -> Option<u32> {
        let printed;
        let id = match value {
            Value::Text(text) => text,
            value => {
                printed = value.print();
                &printed
            }
        };
        if id.is_empty() {
            self.note(Fault::MissingItemId, "");
            return None;
        }
        Some(self.part.interner.intern(id.as_bytes()))
    }

    fn timestamp(&mut self, value: Value) -> Option<Micros> {
        let printed;
        let text = match value {
            Value::Time(micros) => {
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
        let Some(stamp) = parse_timestamp(text.as_bytes()) else {
            self.note(Fault::UnparseableTimestamp, text);
            return None;
        };
        if let Some(offset) = stamp.offset_seconds {
            self.batch.zones.count(offset, 1);
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
