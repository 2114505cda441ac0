//! Which panics are findings.

use std::panic;

/// A panic in our code ends the process at once, so that the stack is that of the finding. Panics of the libraries that decode
/// Parquet and spreadsheets are expected on damaged files: the readers catch them. One that nobody catches ends the process
/// when it arrives at the harness.
pub(crate) fn install() {
    let ends_process = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let is_foreign = info.location().is_some_and(|location| location.file().contains("/registry/"));
        if !is_foreign {
            ends_process(info);
        }
    }));
}
