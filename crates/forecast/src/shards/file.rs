//! The files of a run in shards: a magic number, a version, the SHA-256 of the content, and the content, which is CBOR
//! compressed with zstd.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | `tabshard` |
//! | 8..12 | version, 1 |
//! | 12..44 | SHA-256 of everything from byte 44 on |
//! | 44.. | the content |

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use minicbor::encode::write::Writer;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::Failure;

const MAGIC: &[u8] = b"tabshard";
const VERSION: u32 = 1;
const PREFIX: usize = 44;
/// The SHA-256 of the content of a file.
pub(super) type Hash = [u8; 32];

/// Rows are numbers that hardly compress, and stamps that always do.
const LEVEL: i32 = 1;
const BUFFER: usize = 1 << 16;

/// Writes the file; returns the hash of its content.
pub(super) fn write(path: &Path, content: &impl Serialize) -> Result<Hash, Failure> {
    let failed =
        |error: io::Error| Failure::Io { during: "writing a file of a run in shards", source: error };
    let mut file = File::create(path).map_err(failed)?;
    file.write_all(&[0; PREFIX]).map_err(failed)?;
    let hashed = Hashed { file: &mut file, hash: Sha256::new() };
    let compressed = zstd::Encoder::new(hashed, LEVEL).map_err(failed)?;
    let mut buffered = BufWriter::with_capacity(BUFFER, compressed);
    content
        .serialize(&mut minicbor_serde::Serializer::new(Writer::new(&mut buffered)))
        .map_err(|error| failed(io::Error::other(error)))?;
    let compressed = buffered.into_inner().map_err(|error| failed(error.into_error()))?;
    let hash = compressed.finish().map_err(failed)?.hash.finalize();
    file.rewind().map_err(failed)?;
    let prefix = [MAGIC, &VERSION.to_le_bytes(), &hash[..]].concat();
    file.write_all(&prefix).map_err(failed)?;
    Ok(hash.into())
}

/// Hashes what it writes.
struct Hashed<'a> {
    file: &'a mut File,
    hash: Sha256,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The content of a file, and its hash.
///
/// # Errors
///
/// [`Failure::Io`] if the file cannot be read; [`Failure::Shard`] if it is no such file, damaged, or of another
/// version.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<(T, Hash), Failure> {
    let bytes = fs::read(path).map_err(Failure::io("reading a file of a run in shards"))?;
    let refuse = |what: &str| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Failure::Shard(format!("{name} {what}"))
    };
    let Some((prefix, body)) = bytes.split_at_checked(PREFIX) else { return Err(refuse("is too short")) };
    if prefix[..8] != *MAGIC {
        return Err(refuse("is no such file"));
    }
    if prefix[8..12] != VERSION.to_le_bytes() {
        return Err(refuse("is of another release"));
    }
    let hash = Sha256::digest(body);
    if prefix[12..] != hash[..] {
        return Err(refuse("is damaged"));
    }
    let damaged = |error: &dyn std::fmt::Display| refuse(&format!("cannot be read: {error}"));
    let encoded = zstd::stream::decode_all(body).map_err(|error| damaged(&error))?;
    let content = minicbor_serde::from_slice(&encoded).map_err(|error| damaged(&error))?;
    Ok((content, hash.into()))
}
