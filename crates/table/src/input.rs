//! Opens a file and reads its first bytes.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use crate::inflate::inflate;
use crate::refusals::empty_file;
use crate::{Compression, ContentError, Kind, ReadError, sniff};

/// Number of first bytes that identify a format.
const START: u64 = 64;

/// A file, positioned at its beginning.
pub(crate) struct Input {
    pub(crate) file: File,
    /// Its first bytes.
    pub(crate) start: Vec<u8>,
    pub(crate) bytes: u64,
}

/// The text of a file, unpacked, positioned at its beginning.
pub(crate) struct Text {
    pub(crate) reader: Box<dyn Read + Send>,
    /// Its first bytes.
    pub(crate) start: Vec<u8>,
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Input, ReadError> {
        let mut file = File::open(path)?;
        let bytes = file.metadata()?.len();
        if bytes == 0 {
            return Err(empty_file().into());
        }
        let mut start = Vec::with_capacity(START as usize);
        file.by_ref().take(START).read_to_end(&mut start)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Input { file, start, bytes })
    }

    pub(crate) fn text(self, compression: Option<Compression>) -> Result<Text, ReadError> {
        let Some(compression) = compression else {
            return Ok(Text { reader: Box::new(self.file), start: self.start });
        };
        if let Some(error) = sniff::foreign_to_packed(&self.start, compression) {
            return Err(error.into());
        }
        let mut inflated = inflate(self.file, self.bytes, compression)?;
        let mut start = Vec::with_capacity(START as usize);
        inflated.by_ref().take(START).read_to_end(&mut start)?;
        if start.is_empty() {
            return Err(empty_file().into());
        }
        Ok(Text { reader: Box::new(Cursor::new(start.clone()).chain(inflated)), start })
    }

    /// Refuses a compression that the format does not support.
    pub(crate) fn plain(self, compression: Option<Compression>) -> Result<Input, Box<ContentError>> {
        match compression {
            None => Ok(self),
            Some(compression) => {
                let message = format!(
                    "Files of this format are not read through {}: they are packed within",
                    compression.name()
                );
                Err(ContentError::new("unsupported_compression", Kind::Unsupported, message)
                    .suggestion("Leave the compression out.")
                    .into())
            }
        }
    }
}

/// Content errors travel as inner errors of an `io::Error`, because readers can return nothing else.
impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.downcast::<ContentError>() {
            Ok(content) => content.into(),
            Err(error) => ReadError::Io(error),
        }
    }
}
