//! Text out of gzip and zstd, counted while it is inflated.

use std::fs::File;
use std::io::{self, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use crate::{Compression, ContentError, Kind};

/// Bytes that may always come out of a file.
pub(crate) const FREE: u64 = 64 * 1024 * 1024;
/// How many times its size may come out of it beyond that.
pub(crate) const TIMES: u64 = 100;
/// What may come out of any file.
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

/// How much may come out of so many bytes.
pub(crate) fn allowance(bytes: u64) -> u64 {
    FREE.max(bytes.saturating_mul(TIMES)).min(MOST)
}

/// Reads what a packed file of `bytes` bytes holds. Content errors come as the inner error of an `io::Error`.
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
            // The disk's errors have a number, those of the decoders do not.
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
