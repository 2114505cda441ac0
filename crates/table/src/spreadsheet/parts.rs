//! Checks the parts of a workbook as they are inflated.

use memchr::memchr;

use crate::spreadsheet::{corrupt, limit};
use crate::{ContentError, Kind};

/// Maximum size of the shared strings in bytes; all are held in memory.
const MAX_STRINGS: u64 = 128 * 1024 * 1024;
/// Maximum declared number of shared strings; the reader allocates for all at once.
const MAX_STRING_COUNT: u64 = 8_000_000;
/// Maximum size of any other part that is read as a whole: styles, relationships, the list of sheets.
const MAX_PART: u64 = 32 * 1024 * 1024;
/// Maximum length of a tag with the text after it, in bytes.
const MAX_TEXT: usize = 4 * 1024 * 1024;
/// Number of bytes that identify what a `<` begins.
const OPENING: usize = 4;
const COUNT: &[u8] = b"uniqueCount";
/// Maximum length of that attribute in bytes.
const COUNT_LENGTH: usize = 64;

/// One entry of the archive.
pub(crate) struct Part {
    kind: PartKind,
    bytes: u64,
    /// The end of the last stretch, which may be the beginning of something forbidden.
    carry: Vec<u8>,
    /// Number of bytes since the last `<`.
    since: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartKind {
    /// A sheet, which is streamed.
    Sheet,
    Strings,
    Xml,
    /// Not read: pictures and the like.
    Other,
}

impl Part {
    /// `name` in lower case, as the workbook's reader compares it.
    pub(crate) fn new(name: &str) -> Part {
        let is_xml = [".xml", ".rels", ".vml"].iter().any(|extension| name.ends_with(extension));
        let kind = if name.ends_with("sharedstrings.xml") {
            PartKind::Strings
        } else if name.contains("worksheets/") && is_xml {
            PartKind::Sheet
        } else if is_xml || !name.starts_with("xl/media/") {
            PartKind::Xml
        } else {
            PartKind::Other
        };
        Part { kind, bytes: 0, carry: Vec::new(), since: 0 }
    }

    /// Checks the next bytes.
    pub(crate) fn look(&mut self, bytes: &[u8]) -> Result<(), Box<ContentError>> {
        if self.bytes == 0 {
            self.look_at_start(bytes)?;
        }
        self.bytes += bytes.len() as u64;
        let (most, what) = match self.kind {
            PartKind::Sheet | PartKind::Other => (u64::MAX, ""),
            PartKind::Strings => (MAX_STRINGS, "The texts"),
            PartKind::Xml => (MAX_PART, "A part"),
        };
        if self.bytes > most {
            return Err(limit(format!("{what} of the workbook have more than {} MiB", most >> 20)).into());
        }
        if self.kind == PartKind::Other {
            return Ok(());
        }
        let mut stretch = std::mem::take(&mut self.carry);
        let carried = stretch.len();
        stretch.extend_from_slice(bytes);
        self.look_at_tags(&stretch, carried)?;
        if self.kind == PartKind::Strings {
            look_at_counts(&stretch)?;
        }
        let keep = if self.kind == PartKind::Strings { COUNT_LENGTH } else { OPENING - 1 };
        stretch.drain(..stretch.len().saturating_sub(keep));
        self.carry = stretch;
        Ok(())
    }

    fn look_at_start(&self, bytes: &[u8]) -> Result<(), Box<ContentError>> {
        if bytes.starts_with(b"PK\x03\x04") {
            return Err(corrupt("it holds another archive").into());
        }
        let is_wide =
            [&b"\xff\xfe"[..], b"\xfe\xff", b"\0<", b"<\0"].iter().any(|mark| bytes.starts_with(mark));
        // In UTF-16 the forbidden texts would look different.
        if self.kind != PartKind::Other && is_wide {
            Err(corrupt("a part of it is not UTF-8").into())
        } else {
            Ok(())
        }
    }

    /// A document type can name other files and define entities that expand to gigabytes. No program writes one into a
    /// workbook, nor CDATA, which would be read at once whatever its length.
    fn look_at_tags(&mut self, stretch: &[u8], carried: usize) -> Result<(), Box<ContentError>> {
        let mut from = carried.saturating_sub(OPENING - 1);
        let mut last = None;
        while let Some(at) = stretch.get(from..).and_then(|rest| memchr(b'<', rest)).map(|at| from + at) {
            let opening = &stretch[at..stretch.len().min(at + OPENING)];
            if opening.starts_with(b"<!") && opening.len() == OPENING && opening != b"<!--" {
                let message =
                    "The workbook contains a document type or CDATA, which no spreadsheet program writes";
                return Err(ContentError::new("corrupt_file", Kind::Unsupported, message)
                    .suggestion("Save the workbook with a spreadsheet program, or export the sheet as CSV.")
                    .into());
            }
            if at >= carried {
                let gap = at - last.unwrap_or(carried) + if last.is_none() { self.since } else { 0 };
                check_gap(gap)?;
                last = Some(at);
            }
            from = at + 1;
        }
        self.since = match last {
            Some(last) => stretch.len() - last,
            None => self.since + stretch.len() - carried,
        };
        check_gap(self.since)
    }
}

fn check_gap(bytes: usize) -> Result<(), Box<ContentError>> {
    if bytes <= MAX_TEXT {
        return Ok(());
    }
    Err(ContentError::new(
        "cell_too_long",
        Kind::Content,
        format!("A cell is longer than {} MiB", MAX_TEXT >> 20),
    )
    .suggestion("Shorten the cell.")
    .into())
}

/// The reader allocates for as many texts as the attribute declares before it reads them.
fn look_at_counts(stretch: &[u8]) -> Result<(), Box<ContentError>> {
    for at in memchr::memmem::find_iter(stretch, COUNT) {
        let value = stretch[at + COUNT.len()..]
            .iter()
            .skip_while(|byte| byte.is_ascii_whitespace() || b"='\"+".contains(byte))
            .take_while(|byte| byte.is_ascii_digit());
        let count = value
            .fold(0_u64, |count, digit| count.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
        if count > MAX_STRING_COUNT {
            return Err(
                limit(format!("The workbook says that it has more than {MAX_STRING_COUNT} texts")).into()
            );
        }
    }
    Ok(())
}
