//! Decodes bytes into text, whatever their encoding.

use serde::Serialize;

use crate::csv::nul_bytes;
use crate::{ContentError, Kind};

/// The character encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ts_rs::TS)]
pub enum Encoding {
    /// UTF-8.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-8 with a byte order mark.
    #[serde(rename = "utf-8-sig")]
    Utf8Signed,
    /// UTF-16, little endian.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, big endian.
    #[serde(rename = "utf-16be")]
    Utf16Be,
    /// Assumed if the bytes are none of the others.
    #[serde(rename = "windows-1252")]
    Windows1252,
}

/// Characters of the bytes 0x80 to 0x9f; the other bytes are the first characters of Unicode. `\0` stands for bytes
/// without a character.
const WINDOWS_1252: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’', '“',
    '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];
/// Number of bytes examined for UTF-16 without a byte order mark.
const SHOWN: usize = 1024;

/// Decodes the bytes; if they are truncated, leaves out an incomplete last character.
pub(crate) fn decode(bytes: &[u8], cut: bool) -> Result<(String, Encoding), Box<ContentError>> {
    let (text, encoding) = if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        (utf8(rest, cut).ok_or_else(not_text)?.to_owned(), Encoding::Utf8Signed)
    } else if let Some((encoding, rest)) = utf16_marked(bytes) {
        (utf16(rest, encoding, cut).ok_or_else(not_text)?, encoding)
    } else if let Some(text) = utf8(bytes, cut)
        && !text.contains('\0')
    {
        (text.to_owned(), Encoding::Utf8)
    } else if let Some(encoding) = utf16_unmarked(bytes) {
        (utf16(bytes, encoding, cut).ok_or_else(not_text)?, encoding)
    } else {
        (windows_1252(bytes).ok_or_else(not_text)?, Encoding::Windows1252)
    };
    if text.contains('\0') { Err(Box::new(nul_bytes())) } else { Ok((text, encoding)) }
}

fn not_text() -> Box<ContentError> {
    let message = "The file is not text in a known encoding";
    Box::new(
        ContentError::new("unsupported_encoding", Kind::Unsupported, message)
            .suggestion("Save the file as UTF-8 CSV."),
    )
}

fn utf8(bytes: &[u8], cut: bool) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if cut && error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    }
}

fn utf16_marked(bytes: &[u8]) -> Option<(Encoding, &[u8])> {
    // The mark of UTF-32 begins with that of UTF-16.
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        (!rest.starts_with(b"\0\0")).then_some((Encoding::Utf16Le, rest))
    } else {
        bytes.strip_prefix(b"\xfe\xff").map(|rest| (Encoding::Utf16Be, rest))
    }
}

/// Tables are mostly ASCII, so in UTF-16 every other byte is zero, and no others are.
fn utf16_unmarked(bytes: &[u8]) -> Option<Encoding> {
    let pairs = bytes[..bytes.len().min(SHOWN)].as_chunks::<2>().0;
    let zeros = |place: usize| pairs.iter().filter(|pair| pair[place] == 0).count();
    let mostly = |count: usize| !pairs.is_empty() && count * 10 >= pairs.len() * 9;
    match (zeros(0), zeros(1)) {
        (0, high) if mostly(high) => Some(Encoding::Utf16Le),
        (high, 0) if mostly(high) => Some(Encoding::Utf16Be),
        _ => None,
    }
}

fn utf16(bytes: &[u8], encoding: Encoding, cut: bool) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() && !cut {
        return None;
    }
    let unit = |pair: &[u8; 2]| match encoding {
        Encoding::Utf16Le => u16::from_le_bytes(*pair),
        _ => u16::from_be_bytes(*pair),
    };
    let mut units: Vec<u16> = pairs.iter().map(unit).collect();
    if cut && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
        units.pop();
    }
    String::from_utf16(&units).ok()
}

/// `None` for bytes without a character, and for control characters, which no table contains.
fn windows_1252(bytes: &[u8]) -> Option<String> {
    let character = |byte: &u8| match byte {
        b'\t' | b'\n' | b'\r' => Some(char::from(*byte)),
        0..=0x1f | 0x7f => None,
        0x80..=0x9f => Some(WINDOWS_1252[usize::from(byte - 0x80)]).filter(|character| *character != '\0'),
        _ => Some(char::from(*byte)),
    };
    bytes.iter().map(character).collect()
}
