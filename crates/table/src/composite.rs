//! Composite ids: the values of the hierarchy columns as the id of a series.

use std::ops::Range;

use memchr::memmem;

use crate::faults::{Fault, Faults, Refused};
use crate::interner::Interner;
use crate::{Columns, ContentError, HierarchyColumns, TextColumn};

/// The hierarchy values of a row, top to bottom, and the series that they name, kept while consecutive rows repeat
/// them.
///
/// The reader decides how to keep a value: as a range of its buffer, a copy, or a number.
#[derive(Debug)]
pub(crate) struct Path<V> {
    pub(crate) values: Vec<V>,
    /// `None` if a value differs from the row before or is refused.
    pub(crate) series: Option<u32>,
}

impl<V: Clone + Default> Path<V> {
    pub(crate) fn new(levels: usize) -> Path<V> {
        Path { values: vec![V::default(); levels], series: None }
    }
}

/// The range of a level's value, 0 for the top, in a composite.
pub(crate) fn place_of_level(composite: &[u8], level: usize, separator: &memmem::Finder<'_>) -> Range<usize> {
    let mut ends = separator.find_iter(composite);
    let before = level.checked_sub(1).and_then(|above| ends.nth(above));
    let start = before.map_or(0, |end| end + separator.needle().len());
    start..ends.next().unwrap_or(composite.len())
}

/// The ids of the series named by the values of several columns. The value of a single column is the id; those of
/// several columns are joined by the separator of the hierarchy, as in [`read_panel`](crate::read_panel). Rows for
/// which `is_used` is false have none.
///
/// # Errors
///
/// For a used row without a value in one of the columns, and for values that could not be told apart when joined.
pub fn composite_ids(
    levels: &[&TextColumn],
    columns: &Columns,
    is_used: impl Fn(usize) -> bool,
) -> Result<TextColumn, Box<ContentError>> {
    let Some(hierarchy) = &columns.hierarchy else { return Ok(TextColumn::default()) };
    let mut composer = Composer::new(hierarchy);
    let (mut interner, mut faults) = (Interner::new(), Faults::default());
    let mut path: Path<&[u8]> = Path::new(levels.len());
    let mut places = vec![TextColumn::MISSING; levels.len()];
    let rows = levels.first().map_or(0, |column| column.codes.len());
    let mut codes = vec![TextColumn::MISSING; rows];
    for (row, code) in codes.iter_mut().enumerate().filter(|(row, _)| is_used(*row)) {
        for (level, column) in levels.iter().enumerate() {
            if places[level] != column.codes[row] {
                places[level] = column.codes[row];
                path.values[level] = column.get(row).unwrap_or_default().as_bytes();
                path.series = None;
            }
        }
        *code = match composer.series(&mut path, &mut interner, &mut faults, row as u64) {
            Some(series) => series,
            None => TextColumn::MISSING,
        };
    }
    if let Some(error) = faults.into_error(columns) {
        return Err(error.into());
    }
    let text = |number| String::from_utf8_lossy(interner.get(number)).into();
    Ok(TextColumn { codes, texts: (0..interner.len() as u32).map(text).collect() })
}

/// Joins values to composites, and refuses values that could not be separated again.
///
/// A composite is split from the left, at every separator. That restores the values exactly if no value contains the
/// separator and, for separators like `::`, if no value but the last ends with a beginning of the separator that could
/// combine with the following one: `a:` and `b` would join to `a:::b`, and split into `a` and `:b`.
#[derive(Debug)]
pub(crate) struct Composer {
    separator: memmem::Finder<'static>,
    /// The beginnings of the separator with which no value but the last may end; empty for most separators.
    overlaps: Vec<Vec<u8>>,
    total_label: Vec<u8>,
    /// The current composite, kept for its allocation.
    composite: Vec<u8>,
}

impl Composer {
    pub(crate) fn new(hierarchy: &HierarchyColumns) -> Composer {
        let separator = hierarchy.separator.as_bytes();
        // A separator overlaps itself if the rest of it after some bytes is also its beginning.
        let periods = (1..separator.len()).filter(|length| separator.starts_with(&separator[*length..]));
        Composer {
            separator: memmem::Finder::new(separator).into_owned(),
            overlaps: periods.map(|length| separator[..length].to_vec()).collect(),
            total_label: hierarchy.total_label.as_bytes().to_vec(),
            composite: Vec::new(),
        }
    }

    /// The number of the series that the values of a row name; if there is none, notes the fault.
    #[inline]
    pub(crate) fn series<V: AsRef<[u8]>>(
        &mut self,
        path: &mut Path<V>,
        interner: &mut Interner,
        faults: &mut Faults,
        row: u64,
    ) -> Option<u32> {
        if path.series.is_none() {
            match self.number(&path.values, interner) {
                Ok(number) => path.series = Some(number),
                Err(refused) => faults.note_level(refused, row, path.values[refused.1].as_ref()),
            }
        }
        path.series
    }

    #[inline]
    fn number<V: AsRef<[u8]>>(&mut self, values: &[V], interner: &mut Interner) -> Result<u32, Refused> {
        self.composite.clear();
        for (level, value) in values.iter().enumerate() {
            let value = value.as_ref();
            if value.is_empty() {
                return Err((Fault::MissingHierarchyValue, level));
            }
            if level > 0 {
                self.composite.extend_from_slice(self.separator.needle());
            }
            self.composite.extend_from_slice(value);
        }
        self.check_overlaps(values)?;
        // A known composite has exactly as many separators as there are between its levels, so its values contain none.
        match interner.find(&self.composite) {
            Some(number) => Ok(number),
            None => self.add(values, interner),
        }
    }

    /// Composites could be equal only through the values that this refuses, so every row has to pass.
    #[inline]
    fn check_overlaps<V: AsRef<[u8]>>(&self, values: &[V]) -> Result<(), Refused> {
        if self.overlaps.is_empty() {
            return Ok(());
        }
        let inner = &values[..values.len() - 1];
        let overlaps = |value: &V| self.overlaps.iter().any(|start| value.as_ref().ends_with(start));
        match inner.iter().position(overlaps) {
            Some(level) => Err((Fault::SeparatorInHierarchy, level)),
            None => Ok(()),
        }
    }

    #[cold]
    fn add<V: AsRef<[u8]>>(&self, values: &[V], interner: &mut Interner) -> Result<u32, Refused> {
        let mut end = 0;
        for (level, value) in values.iter().enumerate() {
            let value = value.as_ref();
            if self.separator.find(value).is_some() {
                return Err((Fault::SeparatorInHierarchy, level));
            }
            end += value.len();
            if self.composite[..end] == self.total_label {
                return Err((Fault::TotalLabelTaken, level));
            }
            end += self.separator.needle().len();
        }
        Ok(interner.intern(&self.composite))
    }
}
