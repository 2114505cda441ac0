//! All columns of JSON: every key of an object is one, from the first object that has it.

use std::collections::HashMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::names::Names;
use super::part::{Content, Plan};
use super::rows::Rows;
use crate::input::Text;
use crate::json::cell::{CellOf, CellTarget, nested_column};
use crate::json::{explain, next_line, open, skip_blanks};
use crate::refusals::{duplicate_column, empty_file, no_rows, too_many_columns};
use crate::rows::Value;
use crate::{ContentError, ReadError, ReadOptions};

/// Reads an array of objects; `before` rows lie in the files before this one.
pub(super) fn read_array(
    text: Text,
    options: &ReadOptions,
    plan: &Plan,
    before: u64,
) -> Result<Content, ReadError> {
    let mut reader = open(text, options)?;
    if skip_blanks(&mut reader)? {
        return Err(empty_file().into());
    }
    let mut table = Table::new(options, plan, before);
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let parsed = deserializer.deserialize_seq(Array(&mut table)).and_then(|()| deserializer.end());
    table.parsed(parsed)?;
    table.finish()
}

/// Reads an object a line; `before` rows lie in the files before this one.
pub(super) fn read_lines(
    text: Text,
    options: &ReadOptions,
    plan: &Plan,
    before: u64,
) -> Result<Content, ReadError> {
    let mut reader = open(text, options)?;
    if skip_blanks(&mut reader)? {
        return Err(empty_file().into());
    }
    let mut table = Table::new(options, plan, before);
    let mut line = Vec::new();
    let mut goes_on = true;
    while goes_on && next_line(&mut reader, &mut line)? {
        let mut deserializer = serde_json::Deserializer::from_slice(&line);
        let parsed = (&mut table).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        goes_on = table.parsed(parsed)?;
    }
    table.finish()
}

/// Takes objects in.
struct Table<'a> {
    rows: Rows<'a>,
    names: Names,
    columns: HashMap<String, usize>,
    /// Where the next key is expected: objects mostly have the keys of the one before, in its order.
    next: usize,
    objects: u64,
    stopped: Option<Stop>,
}

/// Why no further object is read: it is told here because the parser's own errors hold text alone.
enum Stop {
    Enough,
    /// Wrong with the current object.
    Object(Box<ContentError>),
    Other(ReadError),
}

impl<'a> Table<'a> {
    fn new(options: &'a ReadOptions<'a>, plan: &'a Plan<'a>, before: u64) -> Table<'a> {
        let rows = Rows::new(options, plan, before);
        Table { rows, names: Names::default(), columns: HashMap::new(), next: 0, objects: 0, stopped: None }
    }

    /// Takes in what the parser says; `false` when no further object need be read.
    fn parsed(&mut self, outcome: Result<(), serde_json::Error>) -> Result<bool, ReadError> {
        match (self.stopped.take(), outcome) {
            (Some(Stop::Enough), _) => Ok(false),
            (Some(Stop::Object(error)), _) => {
                self.rows.fail(*error);
                Ok(false)
            }
            (Some(Stop::Other(error)), _) => Err(error),
            (None, Ok(())) => Ok(true),
            (None, Err(error)) => match explain(error, None, self.rows.options) {
                ReadError::Content(error) => {
                    self.objects += 1;
                    self.rows.fail(*error);
                    Ok(false)
                }
                error => Err(error),
            },
        }
    }

    fn finish(self) -> Result<Content, ReadError> {
        if self.objects == 0 {
            return Err(no_rows().into());
        }
        Ok(Content { names: self.names, parts: self.rows.finish(), unreadable: Vec::new() })
    }

    /// The column of a key.
    fn column(&mut self, key: &str) -> Result<usize, Box<ContentError>> {
        if self.next < self.names.len() && self.names.get(self.next) == key {
            self.next += 1;
            return Ok(self.next - 1);
        }
        let most = self.rows.options.limits.max_columns;
        let column = match self.columns.get(key) {
            Some(column) => *column,
            None if self.names.len() >= most => return Err(too_many_columns(most + 1, most).into()),
            None => {
                let name = self.names.push(key.to_owned())?;
                // An empty key is called by its place, as another may be called by chance.
                if self.names.position(&name) != Some(self.names.len() - 1) {
                    return Err(duplicate_column(&name).into());
                }
                self.rows.add_column(&name)?;
                self.columns.insert(key.to_owned(), self.names.len() - 1);
                self.names.len() - 1
            }
        };
        self.next = column + 1;
        Ok(column)
    }

    fn stop<E: Error>(&mut self, stop: Stop) -> E {
        self.stopped = Some(stop);
        E::custom("stopped")
    }

    fn refuse<E: Error>(&mut self, error: Box<ContentError>) -> E {
        self.objects += 1;
        self.stop(Stop::Object(error))
    }
}

/// One object.
impl<'de> DeserializeSeed<'de> for &mut Table<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Table<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a row object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.next = 0;
        let mut keys = 0;
        while let Some(column) = map.next_key_seed(Key(self))? {
            keys += 1;
            let most = self.rows.options.limits.max_columns;
            if keys > most {
                return Err(self.refuse(too_many_columns(keys, most).into()));
            }
            map.next_value_seed(CellOf(Place(self, column)))?;
        }
        self.objects += 1;
        match self.rows.end_row() {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.stop(Stop::Enough)),
            Err(error) => Err(self.stop(Stop::Other(error))),
        }
    }
}

/// All objects of an array.
struct Array<'a, 'b>(&'a mut Table<'b>);

impl<'de> Visitor<'de> for Array<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of row objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
        while array.next_element_seed(&mut *self.0)?.is_some() {}
        Ok(())
    }
}

/// A key, as its column.
struct Key<'a, 'b>(&'a mut Table<'b>);

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a column name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<usize, E> {
        self.0.column(key).map_err(|error| self.0.refuse(error))
    }
}

/// The cell of a column.
struct Place<'a, 'b>(&'a mut Table<'b>, usize);

impl CellTarget for Place<'_, '_> {
    fn set<E: Error>(self, value: Value) -> Result<(), E> {
        let Place(table, column) = self;
        table.rows.set(column, value).map_err(|error| table.refuse(error))
    }

    fn nested<E: Error>(self) -> E {
        let Place(table, column) = self;
        let error = nested_column(table.names.get(column));
        table.refuse(error)
    }
}
