//! The row groups of a file.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use parquet::file::metadata::RowGroupMetaData;

use crate::parquet_file::guarded;
use crate::{ContentError, ReadError};

/// Passes the row groups of a file to `read`, on as many threads as the current pool has, each with a part of its own.
/// `read` returns whether it needs a further group. A faulty group goes to `fail`, which notes the error at its
/// position in the file.
pub(crate) fn scan<P: Send>(
    groups: &[RowGroupMetaData],
    part: impl Fn() -> P + Sync,
    read: impl Fn(&mut P, usize, &RowGroupMetaData) -> Result<bool, ReadError> + Sync,
    fail: impl Fn(&mut P, usize, ContentError) + Sync,
) -> Result<Vec<P>, ReadError> {
    // No further row group is needed once `stop` is set; groups are handed out in order.
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        let mut part = part();
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(group) = groups.get(index) else { break };
            let goes_on = guarded(|| read(&mut part, index, group));
            stop.fetch_or(!matches!(goes_on, Ok(true)), Ordering::Relaxed);
            match goes_on {
                Ok(_) => {}
                Err(ReadError::Content(error)) => fail(&mut part, index, *error),
                Err(error) => return Err(error),
            }
        }
        Ok(part)
    };
    rayon::broadcast(|_| work()).into_iter().collect()
}
