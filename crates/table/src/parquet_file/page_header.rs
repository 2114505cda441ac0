//! The sizes in a page header, read before the page.

use std::io::{self, Read};

use crate::parquet_file::compact::{Compact, FALSE, I32, STRUCT, TRUE, damaged};

/// Maximum length of a header; its statistics contain two values of the column.
const LONGEST: u64 = 16 * 1024 * 1024;
/// Type of a dictionary page.
const DICTIONARY: i64 = 2;
/// Dictionary encodings; the first is the name that old writers use.
const CODED: [i64; 2] = [2, 8];

/// The claims of a page header.
#[derive(Debug, Default)]
pub(crate) struct PageHeader {
    kind: i64,
    /// The encoding of a data page's values.
    encoding: i64,
    /// Length of the header itself in bytes.
    pub(crate) length: u64,
    /// Length of the inflated page in bytes.
    pub(crate) inflated: u64,
    /// Length of the page in the file in bytes.
    pub(crate) compressed: u64,
    /// Number of bytes at the page's start that are never compressed.
    pub(crate) levels: u64,
    /// Whether the rest is compressed, if the column is.
    pub(crate) is_compressed: bool,
}

impl PageHeader {
    /// Reads a header as the crate does: of several fields with the same number, the last counts.
    pub(crate) fn read(bytes: impl Read) -> io::Result<PageHeader> {
        let mut header = PageHeader { is_compressed: true, ..PageHeader::default() };
        let mut compact = Compact(bytes.take(LONGEST));
        let mut number = 0;
        while let Some((field, kind)) = compact.field(number)? {
            number = field;
            check_kind(0, field, kind)?;
            match field {
                1 => header.kind = compact.integer()?,
                2 => header.inflated = size(compact.integer()?)?,
                3 => header.compressed = size(compact.integer()?)?,
                5 | 7 | 8 => header.read_inner(field, &mut compact)?,
                _ => compact.skip_field(kind)?,
            }
        }
        header.length = LONGEST - compact.0.limit();
        Ok(header)
    }

    /// Reads the header for the page's own type: a data page, a dictionary, or a data page of version 2.
    fn read_inner(&mut self, parent: i16, compact: &mut Compact<impl Read>) -> io::Result<()> {
        if parent == 8 {
            (self.levels, self.is_compressed) = (0, true);
        }
        let mut number = 0;
        let mut levels = [0; 2];
        while let Some((field, kind)) = compact.field(number)? {
            number = field;
            check_kind(parent, field, kind)?;
            match (parent, field) {
                (8, 5 | 6) => levels[usize::from(field == 6)] = size(compact.integer()?)?,
                (8, 7) => self.is_compressed = kind == TRUE,
                (5, 2) | (8, 4) => self.encoding = compact.integer()?,
                _ => compact.skip_field(kind)?,
            }
        }
        self.levels = levels.iter().sum();
        Ok(())
    }

    /// Whether the values of a data page are dictionary-encoded.
    pub(crate) fn is_coded(&self) -> bool {
        CODED.contains(&self.encoding)
    }

    pub(crate) fn is_dictionary(&self) -> bool {
        self.kind == DICTIONARY
    }
}

/// Refuses a known field of another type: the crate reads it by its number, and would then continue at another position
/// than we do.
fn check_kind(parent: i16, field: i16, kind: u8) -> io::Result<()> {
    let fits = match (parent, field) {
        (0 | 5, 1..=4) | (7, 1..=2) | (8, 1..=6) => kind == I32,
        (0, 5..=8) | (5, 5) | (8, 8) => kind == STRUCT,
        (7, 3) | (8, 7) => matches!(kind, TRUE | FALSE),
        _ => true,
    };
    if fits { Ok(()) } else { Err(damaged()) }
}

fn size(value: i64) -> io::Result<u64> {
    i32::try_from(value).ok().and_then(|value| u64::try_from(value).ok()).ok_or_else(damaged)
}
