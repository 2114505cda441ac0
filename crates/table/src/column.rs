//! Columns of numbers, in memory or in a file.

use std::fs::File;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::mapping::{Mapping, Number};

/// The numbers of a column. A column in memory is a `Vec`. A longer one may lie in a file without a name, of which only
/// the pages that are in use are in memory. Both are slices for those who use them.
pub struct Column<T>(Cells<T>);

enum Cells<T> {
    Memory(Vec<T>),
    File { mapping: Arc<Mapping>, range: Range<usize>, of: PhantomData<T> },
}

impl<T: Number> Column<T> {
    /// `len` zeros: in a file below `folder`, or in memory if there is no folder or its file system keeps no such file.
    ///
    /// # Errors
    /// If the disk has no space for the file.
    pub(crate) fn zeros(len: usize, folder: Option<&Path>) -> io::Result<Column<T>> {
        let mapping = folder.map_or(Ok(None), |folder| Mapping::zeros(len * size_of::<T>(), folder))?;
        Ok(Column(match mapping {
            Some(mapping) => Cells::File { mapping: Arc::new(mapping), range: 0..len, of: PhantomData },
            None => Cells::Memory(vec![T::default(); len]),
        }))
    }

    /// Moves columns from memory to a file below `folder`, in which they lie one behind the other.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn move_to_file<'a>(
        columns: impl Iterator<Item = &'a mut Column<T>>,
        folder: &Path,
    ) -> io::Result<()>
    where
        T: 'a,
    {
        let columns: Vec<&mut Column<T>> = columns.filter(|column| !column.is_empty()).collect();
        if columns.is_empty() {
            return Ok(());
        }
        let mut file = tempfile::tempfile_in(folder)?;
        for column in &columns {
            write(&mut file, column)?;
        }
        let mapping = Arc::new(Mapping::of(&file)?);
        let mut start = 0;
        for column in columns {
            let range = start..start + column.len();
            start = range.end;
            *column = Column(Cells::File { mapping: Arc::clone(&mapping), range, of: PhantomData });
        }
        Ok(())
    }

    /// Appends a number; the column is in memory.
    #[inline]
    pub(crate) fn push(&mut self, number: T) {
        match &mut self.0 {
            Cells::Memory(numbers) => numbers.push(number),
            Cells::File { .. } => unreachable!("rows are only added to a column in memory"),
        }
    }

    /// Drops the numbers from `len` on, if there are any.
    pub(crate) fn truncate(&mut self, len: usize) {
        match &mut self.0 {
            Cells::Memory(numbers) => numbers.truncate(len),
            Cells::File { range, .. } => range.end = range.end.min(range.start + len),
        }
    }

    /// Call this before reading some of many numbers.
    pub(crate) fn touch(&self, numbers: usize) {
        if let Cells::File { mapping, .. } = &self.0 {
            mapping.touch(numbers * size_of::<T>());
        }
    }

    /// Its pages need not stay in memory; reading them again brings them back.
    pub(crate) fn release(&self) {
        if let Cells::File { mapping, .. } = &self.0 {
            mapping.release();
        }
    }

    /// The numbers, in memory.
    pub fn into_vec(self) -> Vec<T> {
        match self.0 {
            Cells::Memory(numbers) => numbers,
            Cells::File { .. } => self.to_vec(),
        }
    }
}

/// Columns are written in pieces, because their bytes are no slice that could be written as it is.
const PIECE: usize = 8192;

fn write<T: Number>(file: &mut File, numbers: &[T]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(PIECE * size_of::<T>());
    for piece in numbers.chunks(PIECE) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|number| number.bytes()));
        file.write_all(&bytes)?;
    }
    Ok(())
}

impl<T: Number> Deref for Column<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Cells::Memory(numbers) => numbers,
            Cells::File { mapping, range, .. } => &mapping.numbers::<T>()[range.clone()],
        }
    }
}

impl<T: Number> DerefMut for Column<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Cells::Memory(numbers) => numbers,
            Cells::File { mapping, range, .. } => {
                let mapping =
                    Arc::get_mut(mapping).expect("a column that is written has its file for itself");
                &mut mapping.numbers_mut::<T>()[range.clone()]
            }
        }
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(numbers: Vec<T>) -> Column<T> {
        Column(Cells::Memory(numbers))
    }
}

impl<T> Default for Column<T> {
    fn default() -> Column<T> {
        Column(Cells::Memory(Vec::new()))
    }
}

impl<T: Number> Clone for Column<T> {
    /// In memory, wherever this one is.
    fn clone(&self) -> Column<T> {
        self.to_vec().into()
    }
}

impl<T: Number + PartialEq> PartialEq for Column<T> {
    fn eq(&self, other: &Column<T>) -> bool {
        **self == **other
    }
}

impl<T: Number + PartialEq> PartialEq<Vec<T>> for Column<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        **self == **other
    }
}

impl<T: Number + PartialEq, const N: usize> PartialEq<[T; N]> for Column<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        **self == *other
    }
}

impl<T: Number + std::fmt::Debug> std::fmt::Debug for Column<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(formatter)
    }
}

impl<T: Number + Serialize> Serialize for Column<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Column<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Column<T>, D::Error> {
        Vec::deserialize(deserializer).map(Column::from)
    }
}
