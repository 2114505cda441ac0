//! Reads objects as rows, without building a tree in memory.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::bounds::broken;
use super::text::{next_line, open};
use crate::input::Text;
use crate::refusals::{no_rows, too_many_columns};
use crate::sniff::mismatch;
use crate::value::{TakeCells, Value};
use crate::{ContentError, FileFormat, ReadError, ReadOptions};

/// Receives objects, one per row.
pub(crate) trait TakeObjects: TakeCells {
    /// The column for a key of the current object; `None` if it is not read.
    fn column(&mut self, key: &str) -> Result<Option<usize>, Box<ContentError>>;

    /// Receives an array or an object.
    fn nested(&mut self, column: usize) -> Result<(), Box<ContentError>>;

    /// The error for a number too large for a double, if this column has a more specific one than the parser.
    fn too_large(&self, _column: usize) -> Option<ContentError> {
        None
    }
}

/// Passes the objects of a file to `rows`. Returns `false` if that or an error ended the read before the file did.
///
/// # Errors
///
/// For faults outside any row; faults of an object are passed to `rows`.
pub(crate) fn scan(
    text: Text,
    options: &ReadOptions,
    rows: &mut impl TakeObjects,
) -> Result<bool, ReadError> {
    let mut reader = open(text, options)?;
    let most_keys = options.limits.max_columns;
    let mut scanner = Scanner { rows, most_keys, current: None, has_rows: false, stopped: None };
    let mut is_whole = true;
    if options.format == FileFormat::Jsonl {
        let mut line = Vec::new();
        while is_whole && next_line(&mut reader, &mut line)? {
            let mut deserializer = serde_json::Deserializer::from_slice(&line);
            let parsed = scanner.deserialize(&mut deserializer).and_then(|()| deserializer.end());
            is_whole = scanner.parsed(parsed)?;
        }
    } else {
        let mut deserializer = serde_json::Deserializer::from_reader(reader);
        let parsed = deserializer.deserialize_seq(Array(&mut scanner)).and_then(|()| deserializer.end());
        is_whole = scanner.parsed(parsed)?;
    }
    if is_whole && !scanner.has_rows {
        return Err(no_rows().into());
    }
    Ok(is_whole)
}

struct Scanner<'a, T> {
    rows: &'a mut T,
    most_keys: usize,
    /// The column whose cell is being parsed, if it is read.
    current: Option<usize>,
    has_rows: bool,
    stopped: Option<Stop>,
}

/// Why no further object is read. It is stored here because the parser's own errors hold only text.
enum Stop {
    Enough,
    /// A fault of the current object.
    Object(Box<ContentError>),
    /// A fault of the file, or an error of the reader.
    Other(ReadError),
}

impl<T: TakeObjects> Scanner<'_, T> {
    /// Handles the parser's result; `false` if no further object is needed.
    fn parsed(&mut self, outcome: Result<(), serde_json::Error>) -> Result<bool, ReadError> {
        let error = match (self.stopped.take(), outcome) {
            (Some(Stop::Enough), _) => return Ok(false),
            (Some(Stop::Object(error)), _) => error,
            (Some(Stop::Other(error)), _) => return Err(error),
            (None, Ok(())) => return Ok(true),
            (None, Err(error)) => match self.explain(error) {
                ReadError::Content(error) => error,
                error => return Err(error),
            },
        };
        self.rows.fail(*error);
        Ok(false)
    }

    /// Translates the parser's error.
    fn explain(&self, error: serde_json::Error) -> ReadError {
        if error.is_io() {
            return std::io::Error::from(error).into();
        }
        let text = error.to_string();
        // A number out of range has no error category of its own.
        if text.starts_with("number out of range")
            && let Some(error) = self.current.and_then(|column| self.rows.too_large(column))
        {
            return error.into();
        }
        if error.is_data() {
            return mismatch(
                "The JSON is not made of row objects",
                "Write an array of objects, one a row, or an object a line in a .jsonl file.",
            )
            .into();
        }
        broken(&text).into()
    }

    fn stop<E: Error>(&mut self, stop: Stop) -> E {
        self.stopped = Some(stop);
        E::custom("stopped")
    }

    fn goes_on<E: Error>(&mut self, outcome: Result<bool, ReadError>) -> Result<(), E> {
        match outcome {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.stop(Stop::Enough)),
            Err(error) => Err(self.stop(Stop::Other(error))),
        }
    }

    #[inline]
    fn accepted<V, E: Error>(&mut self, outcome: Result<V, Box<ContentError>>) -> Result<V, E> {
        outcome.map_err(|error| self.stop(Stop::Object(error)))
    }
}

/// One object.
impl<'de, T: TakeObjects> DeserializeSeed<'de> for &mut Scanner<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: TakeObjects> Visitor<'de> for &mut Scanner<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a row object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.has_rows = true;
        let begun = self.rows.begin_row();
        self.goes_on::<A::Error>(begun)?;
        let mut keys = 0;
        while let Some(column) = map.next_key_seed(Key(self))? {
            keys += 1;
            if keys > self.most_keys {
                return self.accepted(Err(too_many_columns(keys, self.most_keys).into()));
            }
            self.current = column;
            match column {
                Some(column) => map.next_value_seed(Cell(self, column))?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        self.current = None;
        let ended = self.rows.end_row();
        self.goes_on(ended)
    }
}

/// All objects of an array.
struct Array<'a, 'b, T>(&'a mut Scanner<'b, T>);

impl<'de, T: TakeObjects> Visitor<'de> for Array<'_, '_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of row objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
        while array.next_element_seed(&mut *self.0)?.is_some() {}
        Ok(())
    }
}

/// A key, which is only compared.
struct Key<'a, 'b, T>(&'a mut Scanner<'b, T>);

impl<'de, T: TakeObjects> DeserializeSeed<'de> for Key<'_, '_, T> {
    type Value = Option<usize>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T: TakeObjects> Visitor<'_> for Key<'_, '_, T> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a column name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Option<usize>, E> {
        let column = self.0.rows.column(key);
        self.0.accepted(column)
    }
}

/// The cell of a column.
struct Cell<'a, 'b, T>(&'a mut Scanner<'b, T>, usize);

impl<T: TakeObjects> Cell<'_, '_, T> {
    fn set<E: Error>(self, value: Value) -> Result<(), E> {
        let taken = self.0.rows.set(self.1, value);
        self.0.accepted(taken)
    }

    fn nested<E: Error>(self) -> Result<(), E> {
        let taken = self.0.rows.nested(self.1);
        self.0.accepted(taken)
    }
}

impl<'de, T: TakeObjects> DeserializeSeed<'de> for Cell<'_, '_, T> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: TakeObjects> Visitor<'de> for Cell<'_, '_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text, a number, a boolean or null")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.set(Value::Empty)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.set(Value::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.set(Value::Integer(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.set(Value::Integer(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.set(Value::Number(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.set(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
        self.nested::<A::Error>()?;
        while array.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.nested::<A::Error>()?;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
