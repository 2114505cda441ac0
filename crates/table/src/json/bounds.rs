//! Limits on the text that a JSON parser must hold at a time.

use std::io::{self, Read};

use memchr::memchr2;

use crate::csv::cell_too_long;
use crate::{ContentError, Kind};

/// Maximum nesting of objects and arrays.
const DEPTH: usize = 32;
/// Maximum bytes of a number or a word outside quotes.
const WORD: usize = 1_024;
/// Maximum bytes of one character of a cell: an escaped surrogate pair.
const CHAR: usize = 12;

/// Passes text on, and fails at a string, a number or a nesting that no table has before a parser stores it.
pub(crate) struct Bounded<R> {
    source: R,
    max_cell_chars: usize,
    depth: usize,
    /// Bytes of the current string or word so far.
    length: usize,
    in_string: bool,
    /// Whether the previous byte was a backslash in a string.
    escaped: bool,
}

impl<R: Read> Bounded<R> {
    pub(crate) fn new(source: R, max_cell_chars: usize) -> Bounded<R> {
        Bounded { source, max_cell_chars, depth: 0, length: 0, in_string: false, escaped: false }
    }

    fn look(&mut self, mut bytes: &[u8]) -> Result<(), Box<ContentError>> {
        while !bytes.is_empty() {
            let taken = if self.in_string { self.look_at_string(bytes)? } else { self.look_outside(bytes)? };
            bytes = &bytes[taken..];
        }
        Ok(())
    }

    /// Checks the bytes up to the end of the string and returns their number.
    fn look_at_string(&mut self, bytes: &[u8]) -> Result<usize, Box<ContentError>> {
        let taken = if self.escaped {
            self.escaped = false;
            1
        } else {
            match memchr2(b'"', b'\\', bytes) {
                Some(at) => {
                    self.escaped = bytes[at] == b'\\';
                    self.in_string = self.escaped;
                    at + 1
                }
                None => bytes.len(),
            }
        };
        self.length = if self.in_string { self.length + taken } else { 0 };
        if self.length > self.max_cell_chars.saturating_mul(CHAR) {
            return Err(cell_too_long(self.max_cell_chars).into());
        }
        Ok(taken)
    }

    /// Checks the bytes up to the next string and returns their number.
    fn look_outside(&mut self, bytes: &[u8]) -> Result<usize, Box<ContentError>> {
        for (at, byte) in bytes.iter().enumerate() {
            self.length += 1;
            match byte {
                b'"' => {
                    self.in_string = true;
                    self.length = 0;
                    return Ok(at + 1);
                }
                b'[' | b'{' => {
                    self.depth += 1;
                    self.length = 0;
                }
                b']' | b'}' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.length = 0;
                }
                b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => self.length = 0,
                _ if self.length > WORD => {
                    return Err(broken(&format!("it has a number of more than {WORD} digits")).into());
                }
                _ => {}
            }
            if self.depth > DEPTH {
                return Err(broken(&format!("it is nested deeper than {DEPTH} levels")).into());
            }
        }
        Ok(bytes.len())
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.look(&buffer[..read]).map_err(|error| io::Error::other(*error))?;
        Ok(read)
    }
}

pub(crate) fn broken(reason: &str) -> ContentError {
    ContentError::new("corrupt_file", Kind::Unsupported, format!("The JSON cannot be read: {reason}"))
        .suggestion("Write the file again, and check that it was sent in full.")
}
