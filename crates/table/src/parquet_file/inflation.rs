//! Limits how far a file may inflate.

use std::sync::atomic::{AtomicU64, Ordering};

use parquet::errors::{ParquetError, Result};

use crate::inflate::{FREE, TIMES};
use crate::{ContentError, Kind};

/// Maximum size of an inflated page. Writers usually end a page at about a megabyte; some write a whole column into
/// one.
const PAGE: u64 = 512 * 1024 * 1024;
/// Maximum size of an inflated dictionary: its entries are decoded all at once, into up to eight times as much.
const DICTIONARY: u64 = 64 * 1024 * 1024;

/// The bytes that a file may still inflate to, counted before each page is decoded.
///
/// Footers may be false, and pages may be read more than once, so neither is trusted.
#[derive(Debug)]
pub(crate) struct Inflation(AtomicU64);

impl Inflation {
    /// For a file of this size.
    pub(crate) fn of_file(bytes: u64) -> Inflation {
        Inflation(AtomicU64::new(FREE.max(bytes.saturating_mul(TIMES))))
    }

    /// For a file that we wrote.
    pub(crate) fn trusted() -> Inflation {
        Inflation(AtomicU64::new(u64::MAX))
    }

    /// Counts a page that is about to be inflated; a refusal passes through the crate as an external error.
    pub(crate) fn take_page(&self, inflated: u64, compressed: u64, dictionary: bool) -> Result<()> {
        let (what, most) = if dictionary { ("A dictionary", DICTIONARY) } else { ("A page", PAGE) };
        let error = if inflated > most {
            limit(format!("{what} of the file inflates to more than {} MiB", most >> 20))
        } else if too_far(inflated, compressed) {
            limit(format!("{what} of the file inflates to more than {TIMES} times its size"))
        } else {
            let taken =
                self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(inflated));
            if taken.is_ok() {
                return Ok(());
            }
            file_limit()
        };
        Err(ParquetError::External(Box::new(error)))
    }
}

/// Whether these inflated bytes are too many for the compressed ones.
pub(crate) fn too_far(inflated: u64, compressed: u64) -> bool {
    inflated > FREE && inflated > compressed.saturating_mul(TIMES)
}

/// The error for a column whose footer exceeds the limit.
pub(crate) fn column_limit(column: &str) -> ContentError {
    limit(format!("A column inflates to more than {TIMES} times its compressed size")).column(column)
}

/// The error for a file whose rows would take too much memory for its size.
pub(crate) fn file_limit() -> ContentError {
    ContentError::new(
        "decompression_limit",
        Kind::TooLarge,
        format!("The rows that are read take more than {TIMES} times the size of the file"),
    )
    .suggestion("Send the rows as CSV, or fewer of them.")
}

fn limit(message: String) -> ContentError {
    ContentError::new("decompression_limit", Kind::TooLarge, message)
        .suggestion("Write the file with smaller row groups or another compression.")
}
