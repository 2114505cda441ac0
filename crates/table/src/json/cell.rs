//! One cell of an object, whatever is done with it.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::rows::Value;
use crate::{ContentError, Kind, shorten};

/// Where a cell goes.
pub(crate) trait CellTarget {
    /// Takes a plain value.
    fn set<E: Error>(self, value: Value) -> Result<(), E>;

    /// Refuses an array or an object.
    fn nested<E: Error>(self) -> E;
}

/// Reads one cell into its target.
pub(crate) struct CellOf<T>(pub(crate) T);

/// The refusal of an array or an object in a cell of this column.
pub(crate) fn nested_column(name: &str) -> Box<ContentError> {
    let message = format!("A cell of the column '{}' is an array or an object", shorten(name));
    ContentError::new("nested_column", Kind::Unsupported, message)
        .column(name)
        .suggestion("Write one plain value a row into it.")
        .into()
}

impl<'de, T: CellTarget> DeserializeSeed<'de> for CellOf<T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: CellTarget> Visitor<'de> for CellOf<T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text, a number, a boolean or null")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.set(Value::Empty)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.set(Value::Boolean(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.set(Value::Integer(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.0.set(Value::Integer(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.0.set(Value::Number(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.set(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(self.0.nested())
    }

    fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(self.0.nested())
    }
}
