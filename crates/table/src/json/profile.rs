//! All columns of JSON, by their first objects.

use std::fmt;
use std::sync::atomic::Ordering;

use serde::de::{DeserializeSeed, Deserializer as _, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Deserializer;

use crate::column_profile::{ColumnProfile, Profile};
use crate::input::Text;
use crate::json::table::{HEADER_OBJECTS, explain};
use crate::json::{next_line, open, skip_blanks};
use crate::refusals::{empty_file, no_rows};
use crate::roles::wanted;
use crate::rows::Value;
use crate::{ReadError, ReadOptions};

/// Looks at the first `rows` objects of an array.
pub(crate) fn profile_array(text: Text, options: &ReadOptions, rows: u64) -> Result<Profile, ReadError> {
    let mut reader = open(text, options)?;
    if skip_blanks(&mut reader)? {
        return Err(empty_file().into());
    }
    let mut objects = Objects::new(options, rows);
    let outcome = Deserializer::from_reader(reader).deserialize_seq(&mut objects);
    let outcome = outcome.map_err(|error| explain(error, None, options));
    objects.finish(outcome)
}

/// Looks at the first `rows` lines.
pub(crate) fn profile_lines(text: Text, options: &ReadOptions, rows: u64) -> Result<Profile, ReadError> {
    let mut reader = open(text, options)?;
    if skip_blanks(&mut reader)? {
        return Err(empty_file().into());
    }
    let mut objects = Objects::new(options, rows);
    let mut line = Vec::new();
    let mut outcome = Ok(());
    while outcome.is_ok() && !objects.ended() {
        outcome = match next_line(&mut reader, &mut line) {
            Ok(true) => objects.line(&line),
            Ok(false) => break,
            Err(error) => Err(error),
        };
    }
    objects.finish(outcome)
}

/// Looks at objects, one a row.
struct Objects<'a> {
    options: &'a ReadOptions<'a>,
    /// The columns so far, with the last row that had them.
    columns: Vec<(ColumnProfile, u64)>,
    /// Rows begun.
    rows: u64,
    most: u64,
}

impl<'a> Objects<'a> {
    fn new(options: &'a ReadOptions<'a>, most: u64) -> Objects<'a> {
        Objects { options, columns: Vec::new(), rows: 0, most }
    }

    fn is_cancelled(&self) -> bool {
        self.options.cancel.load(Ordering::Relaxed)
    }

    /// Whether no further object need be looked at.
    fn ended(&self) -> bool {
        self.rows >= self.most || self.is_cancelled()
    }

    fn line(&mut self, line: &[u8]) -> Result<(), ReadError> {
        let mut deserializer = Deserializer::from_slice(line);
        let parsed = Object(self).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        parsed.map_err(|error| explain(error, None, self.options))
    }

    /// Ends at an object that cannot be read, which is for the reader to report, unless the columns are not known by then.
    fn finish(self, outcome: Result<(), ReadError>) -> Result<Profile, ReadError> {
        if self.is_cancelled() {
            return Err(ReadError::Cancelled);
        }
        match outcome {
            // What ended the look at enough objects is that the rest of the array was left alone.
            Err(ReadError::Content(_)) if self.ended() => {}
            Err(ReadError::Content(_)) if self.rows > HEADER_OBJECTS || self.has_all_columns() => {}
            outcome => outcome?,
        }
        if self.rows == 0 {
            return Err(no_rows().into());
        }
        let rows = self.rows;
        let columns = self.columns.into_iter().map(|(mut column, _)| {
            column.fill_up(rows);
            column
        });
        Ok(Profile { columns: columns.collect(), rows })
    }

    fn has_all_columns(&self) -> bool {
        let wanted = wanted(&self.options.columns);
        wanted.iter().all(|(name, _)| self.columns.iter().any(|(column, _)| column.name == *name))
    }

    /// The column that a key names, unless the object had it before or the table has too many. Later objects add none, as in
    /// the reader.
    fn column(&mut self, key: &str) -> Option<&mut ColumnProfile> {
        let row = self.rows;
        let place = match self.columns.iter().position(|(column, _)| column.name == key) {
            Some(place) => place,
            None if row > HEADER_OBJECTS => return None,
            None => {
                let is_wanted = || wanted(&self.options.columns).iter().any(|(name, _)| *name == key);
                if self.columns.len() >= self.options.limits.max_columns && !is_wanted() {
                    return None;
                }
                self.columns.push((ColumnProfile::new(key), 0));
                self.columns.len() - 1
            }
        };
        let (column, last_row) = &mut self.columns[place];
        (std::mem::replace(last_row, row) != row).then_some(column)
    }
}

/// All objects of an array.
impl<'de> Visitor<'de> for &mut Objects<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of row objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
        while !self.ended() && array.next_element_seed(Object(self))?.is_some() {}
        Ok(())
    }
}

/// One object.
struct Object<'a, 'b>(&'a mut Objects<'b>);

impl<'de> DeserializeSeed<'de> for Object<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a row object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.rows += 1;
        while let Some(key) = map.next_key::<String>()? {
            match self.0.column(&key) {
                Some(column) => map.next_value_seed(Cell(column))?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// The cell of a column.
struct Cell<'a>(&'a mut ColumnProfile);

impl<'de> DeserializeSeed<'de> for Cell<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Cell<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text, a number, a boolean or null")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.observe_value(Value::Empty);
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.observe_value(Value::Boolean(value));
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.observe_value(Value::Integer(value.into()));
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.0.observe_value(Value::Integer(value.into()));
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.0.observe_value(Value::Number(value));
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.observe_value(Value::Text(text));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
        self.0.observe_nested();
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.observe_nested();
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
