//! A reader of Thrift's compact protocol, for the sizes that must be known before the Parquet crate acts on them.

use std::io::{self, Read};

pub(crate) const TRUE: u8 = 1;
pub(crate) const FALSE: u8 = 2;
pub(crate) const I32: u8 = 5;
pub(crate) const STRUCT: u8 = 12;

/// Maximum nesting of structs; Parquet's own have six levels.
const DEPTH: u32 = 16;

/// Reads fields one after the other.
///
/// It is stricter than the protocol: a list of booleans counts as damage, because no Parquet header has one and the
/// crate would count through as many as it claims without reading a byte.
pub(crate) struct Compact<R>(pub(crate) R);

impl<R: Read> Compact<R> {
    /// Number and type of a struct's next field, given the number `before` of the previous one; `None` at the end.
    pub(crate) fn field(&mut self, before: i16) -> io::Result<Option<(i16, u8)>> {
        let byte = self.byte()?;
        let kind = byte & 15;
        if kind == 0 {
            return Ok(None);
        }
        let number = match byte >> 4 {
            0 => i16::try_from(self.integer()?).ok(),
            delta => before.checked_add(i16::from(delta)),
        };
        Ok(Some((number.ok_or_else(damaged)?, kind)))
    }

    /// A signed integer of any width.
    pub(crate) fn integer(&mut self) -> io::Result<i64> {
        let zigzag = self.varint()?;
        Ok((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }

    /// Skips a whole struct.
    pub(crate) fn skip_struct(&mut self) -> io::Result<()> {
        self.skip(STRUCT, DEPTH)
    }

    /// Skips the value of a field.
    pub(crate) fn skip_field(&mut self, kind: u8) -> io::Result<()> {
        self.skip(kind, DEPTH)
    }

    fn skip(&mut self, kind: u8, depth: u32) -> io::Result<()> {
        let depth = depth.checked_sub(1).ok_or_else(damaged)?;
        match kind {
            TRUE | FALSE => Ok(()),
            3 => self.skip_bytes(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip_bytes(8),
            8 => {
                let length = self.varint()?;
                self.skip_bytes(length)
            }
            9 | 10 => {
                let head = self.byte()?;
                let length = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                let element = head & 15;
                if length > 0 && matches!(element, TRUE | FALSE) {
                    return Err(damaged());
                }
                // Every element takes at least one byte, so a false length ends with the bytes.
                (0..length).try_for_each(|_| self.skip(element, depth))
            }
            STRUCT => {
                while let Some((_, kind)) = self.field(0)? {
                    self.skip(kind, depth)?;
                }
                Ok(())
            }
            13 => self.skip_bytes(16),
            // Parquet headers contain no maps.
            _ => Err(damaged()),
        }
    }

    fn skip_bytes(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut (&mut self.0).take(length), &mut io::sink())?;
        if skipped == length { Ok(()) } else { Err(damaged()) }
    }

    fn varint(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        Err(damaged())
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.0.read_exact(&mut byte)?;
        Ok(byte[0])
    }
}

pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a header is damaged")
}
