//! Reading a panel.
use crate::{Panel, ReadError, ReadOptions};

/// Reads a long-format file into a panel.
///
/// # Errors
/// [`ReadError::Content`] for what the sender can put right, else `Cancelled` or `Io`.
pub fn read_panel(_options: &ReadOptions) -> Result<Panel, ReadError> {
    unimplemented!()
}
