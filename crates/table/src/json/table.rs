//! Objects as rows, without a tree of them in memory.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::batch::Part;
use crate::json::bounds::broken;
use crate::json::cell::{CellOf, CellTarget, nested_column};
use crate::refusals::{column_named_twice, missing_column, no_rows, too_many_columns};
use crate::roles::{Role, wanted};
use crate::rows::{Rows, Value};
use crate::sniff::mismatch;
use crate::{ContentError, Kind, ReadError, ReadOptions, shorten};

/// Objects whose keys are the columns of the file; later ones may leave out any of them.
pub(crate) const HEADER_OBJECTS: u64 = 1_000;

/// Takes objects in and keeps the cells that are asked for.
pub(crate) struct Table<'a> {
    options: &'a ReadOptions<'a>,
    rows: Rows<'a>,
    /// The columns asked for, and whether an object had them.
    wanted: Vec<(&'a str, Role, bool)>,
    /// Keys of the first objects, for the message about one that is missing.
    found: Vec<String>,
    objects: u64,
    /// Only the first objects are read.
    header_only: bool,
    /// Where the parser was in a number, for the message about one that is too large.
    current: Option<Role>,
    stopped: Option<Stop>,
}

/// Why no further object is read: it is told here because the parser's own errors hold text alone.
enum Stop {
    Enough,
    /// Wrong with the current object.
    Object(Box<ContentError>),
    /// Wrong with the file, or the reader's own.
    Other(ReadError),
}

impl<'a> Table<'a> {
    pub(crate) fn new(options: &'a ReadOptions<'a>, before: u64, header_only: bool) -> Table<'a> {
        let wanted = wanted(&options.columns).into_iter().map(|(name, role)| (name, role, false)).collect();
        let rows = Rows::new(options, before);
        let (found, current, stopped) = (Vec::new(), None, None);
        Table { options, rows, wanted, found, objects: 0, header_only, current, stopped }
    }

    /// Takes in what the parser says; `false` when no further object need be read.
    pub(crate) fn parsed(&mut self, outcome: Result<(), serde_json::Error>) -> Result<bool, ReadError> {
        match (self.stopped.take(), outcome) {
            (Some(Stop::Enough), _) => Ok(false),
            (Some(Stop::Object(error)), _) => {
                self.rows.fail(*error);
                Ok(false)
            }
            (Some(Stop::Other(error)), _) => Err(error),
            (None, Ok(())) => Ok(true),
            (None, Err(error)) => match explain(error, self.current, self.options) {
                ReadError::Content(error) => {
                    self.rows.fail(*error);
                    Ok(false)
                }
                error => Err(error),
            },
        }
    }

    /// Ends the read.
    pub(crate) fn finish(mut self, is_whole: bool) -> Result<Vec<Part>, ReadError> {
        if is_whole && self.objects == 0 {
            return Err(no_rows().into());
        }
        if is_whole && self.objects < HEADER_OBJECTS {
            self.check_columns()?;
        }
        Ok(self.rows.finish())
    }

    fn check_columns(&mut self) -> Result<(), Box<ContentError>> {
        // A column that may be absent is so when the first objects do not have it.
        self.wanted.retain(|(_, role, seen)| *seen || *role != Role::CheckedId);
        let names = || self.wanted.iter().map(|(name, ..)| *name);
        if let Some(name) =
            names().enumerate().find(|(index, name)| names().take(*index).any(|other| other == *name))
        {
            return Err(column_named_twice(name.1, &self.options.columns).into());
        }
        match self.wanted.iter().find(|(_, _, seen)| !seen) {
            Some((name, ..)) => Err(missing_column(name, &self.options.columns, &self.found).into()),
            None => Ok(()),
        }
    }

    fn end_object(&mut self) -> Result<(), Stop> {
        self.objects += 1;
        if self.objects == HEADER_OBJECTS {
            self.check_columns().map_err(|error| Stop::Other(error.into()))?;
            if self.header_only {
                return Err(Stop::Enough);
            }
        }
        match self.rows.end_row() {
            Ok(true) => Ok(()),
            Ok(false) => Err(Stop::Enough),
            Err(error) => Err(Stop::Other(error)),
        }
    }

    /// Which column a key names, if it is one that is read.
    fn role(&mut self, key: &str) -> Option<Role> {
        if self.objects < HEADER_OBJECTS && self.found.len() < self.options.limits.max_columns {
            let known = self.found.iter().any(|name| name == key);
            if !known {
                self.found.push(shorten(key).into_owned());
            }
        }
        let (_, role, seen) = self.wanted.iter_mut().find(|(name, ..)| *name == key)?;
        *seen = true;
        Some(*role)
    }

    fn stop<E: Error>(&mut self, stop: Stop) -> E {
        self.stopped = Some(stop);
        E::custom("stopped")
    }

    fn refuse<E: Error>(&mut self, error: Box<ContentError>) -> E {
        self.stop(Stop::Object(error))
    }
}

/// What the parser's error means; `current` is the column that it was at, if that is one to be read.
pub(crate) fn explain(error: serde_json::Error, current: Option<Role>, options: &ReadOptions) -> ReadError {
    if error.is_io() {
        return std::io::Error::from(error).into();
    }
    let text = error.to_string();
    // A number beyond all doubles has no kind of its own.
    if text.starts_with("number out of range") && current == Some(Role::Target) {
        let column = &options.columns.target;
        return ContentError::new("non_finite_target", Kind::Content, "A target is too large for a number")
            .column(column)
            .suggestion("Leave the cell out, or write null, when the value is not known.")
            .into();
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
        if !self.rows.begin_row() {
            return Err(self.stop(Stop::Enough));
        }
        let mut keys = 0;
        while let Some(role) = map.next_key_seed(Key(self))? {
            keys += 1;
            let most = self.options.limits.max_columns;
            if keys > most {
                return Err(self.refuse(too_many_columns(keys, most).into()));
            }
            self.current = role;
            match role {
                Some(role) => map.next_value_seed(CellOf(Wanted(self, role)))?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        self.end_object().map_err(|stop| self.stop(stop))
    }
}

/// All objects of an array.
pub(crate) struct Array<'a, 'b>(pub(crate) &'a mut Table<'b>);

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

/// A key, which is only compared.
struct Key<'a, 'b>(&'a mut Table<'b>);

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = Option<Role>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Role>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = Option<Role>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a column name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Option<Role>, E> {
        Ok(self.0.role(key))
    }
}

/// The cell of a column that is read.
struct Wanted<'a, 'b>(&'a mut Table<'b>, Role);

impl CellTarget for Wanted<'_, '_> {
    fn set<E: Error>(self, value: Value) -> Result<(), E> {
        let Wanted(table, role) = self;
        table.rows.set(role, value).map_err(|error| table.refuse(error))
    }

    fn nested<E: Error>(self) -> E {
        let Wanted(table, role) = self;
        let name = table.wanted.iter().find(|(_, other, _)| *other == role).map_or("", |(name, ..)| *name);
        table.refuse(nested_column(name))
    }
}
