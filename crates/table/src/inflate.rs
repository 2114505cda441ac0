//! Inflates text from gzip and zstd, and counts it on the way.

use std::fs::File;
use std::io::{self, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use crate::{Compression, ContentError, Kind};

/// Number of bytes that any file may inflate to.
pub(crate) const FREE: u64 = 64 * 1024 * 1024;
/// Beyond that, a file may inflate to this many times its size.
pub(crate) const TIMES: u64 = 100;
/// Upper limit for any file.
const MOST: u64 = 16 * 1024 * 1024 * 1024;

impl Compression {
    pub(crate) fn magic(self) -> &'static [u8] {
        match self {
            Compression::Gzip => b"\x1f\x8b",
            Compression::Zstd => b"\x28\xb5\x2f\xfd",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }
}

/// Maximum inflated size of a file of this many bytes.
pub(crate) fn allowance(bytes: u64) -> u64 {
    FREE.max(bytes.saturating_mul(TIMES)).min(MOST)
}

/// Reads the content of a packed file of `bytes` bytes. Content errors are the inner error of an `io::Error`.
pub(crate) fn inflate(file: File, bytes: u64, compression: Compression) -> io::Result<Inflated> {
    let file = BufReader::with_capacity(256 * 1024, file);
    let decoder: Box<dyn Read + Send> = match compression {
        Compression::Gzip => Box::new(MultiGzDecoder::new(file)),
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(file)?),
    };
    Ok(Inflated { decoder, left: allowance(bytes), compression })
}

pub(crate) struct Inflated {
    decoder: Box<dyn Read + Send>,
    left: u64,
    compression: Compression,
}

impl Read for Inflated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self.decoder.read(buffer) {
            Ok(read) => read as u64,
            // Errors of the disk have an OS number, those of the decoders have none.
            Err(error) if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted => {
                return Err(error);
            }
            Err(error) => return Err(io::Error::other(self.damaged(&error))),
        };
        self.left = self.left.checked_sub(read).ok_or_else(|| io::Error::other(too_much()))?;
        Ok(read as usize)
    }
}

impl Inflated {
    fn damaged(&self, error: &io::Error) -> ContentError {
        let name = self.compression.name();
        let message = if error.kind() == io::ErrorKind::UnexpectedEof {
            format!("The {name} file is cut off")
        } else {
            format!("The {name} file is damaged: {error}")
        };
        ContentError::new("corrupt_file", Kind::Unsupported, message)
            .suggestion("Pack the file again, and check that it was sent in full.")
    }
}

fn too_much() -> ContentError {
    let message =
        format!("The file inflates to more than {TIMES} times its size, or to more than {} GiB", MOST >> 30);
    ContentError::new("decompression_limit", Kind::TooLarge, message)
        .suggestion("Send the file as it is, or fewer rows of it.")
}
