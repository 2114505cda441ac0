//! The cells of a record.

use std::borrow::Cow;

use memchr::memchr2;

use crate::csv::blocks::closing_quote;

/// What follows a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// A delimiter, so the record has another cell.
    Cell,
    /// The end of the record.
    Line,
}

/// A cursor over cells.
pub(crate) struct Cells<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
    pub(crate) delimiter: u8,
}

impl<'a> Cells<'a> {
    pub(crate) fn new(bytes: &'a [u8], delimiter: u8) -> Cells<'a> {
        Cells { bytes, at: 0, delimiter }
    }

    /// Goes to the next record; `false` at the end.
    #[inline]
    pub(crate) fn skip_blank_lines(&mut self) -> bool {
        while matches!(self.bytes.get(self.at), Some(b'\n' | b'\r')) {
            self.at += 1;
        }
        self.at < self.bytes.len()
    }

    /// What follows a cell that ends at `at`, and where the next one starts; `None` if no cell can end there.
    #[inline]
    pub(crate) fn end_at(&self, at: usize) -> Option<(End, usize)> {
        match self.bytes.get(at) {
            Some(byte) if *byte == self.delimiter => Some((End::Cell, at + 1)),
            Some(b'\n') => Some((End::Line, at + 1)),
            Some(b'\r') => match self.bytes.get(at + 1) {
                Some(b'\n') => Some((End::Line, at + 2)),
                None => Some((End::Line, at + 1)),
                Some(_) => None,
            },
            None => Some((End::Line, at)),
            Some(_) => None,
        }
    }

    /// The next cell, unquoted, and what follows it; `None` if its quote is never closed, or closed before the end of
    /// the cell.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(Cow<'a, [u8]>, End)> {
        if self.bytes.get(self.at) == Some(&b'"') {
            return self.next_quoted();
        }
        let (cell, end) = self.next_plain();
        Some((Cow::Borrowed(cell), end))
    }

    /// The bytes up to the next delimiter or line end.
    #[inline]
    fn next_plain(&mut self) -> (&'a [u8], End) {
        let rest = &self.bytes[self.at..];
        let Some(length) = memchr2(self.delimiter, b'\n', rest) else {
            self.at = self.bytes.len();
            return (rest.strip_suffix(b"\r").unwrap_or(rest), End::Line);
        };
        self.at += length + 1;
        let cell = &rest[..length];
        if rest[length] == b'\n' {
            (cell.strip_suffix(b"\r").unwrap_or(cell), End::Line)
        } else {
            (cell, End::Cell)
        }
    }

    fn next_quoted(&mut self) -> Option<(Cow<'a, [u8]>, End)> {
        let start = self.at + 1;
        let close = closing_quote(self.bytes, start)?;
        let content = &self.bytes[start..close];
        // RFC 4180 allows nothing between the closing quote and the delimiter, and guessing would change the data.
        let (end, next) = self.end_at(close + 1)?;
        self.at = next;
        if !content.contains(&b'"') {
            return Some((Cow::Borrowed(content), end));
        }
        let mut cell = Vec::with_capacity(content.len());
        let mut rest = content;
        while let Some(quote) = memchr::memchr(b'"', rest) {
            cell.extend_from_slice(&rest[..=quote]);
            rest = &rest[quote + 2..];
        }
        cell.extend_from_slice(rest);
        Some((Cow::Owned(cell), end))
    }
}
