//! The files that readers of files are given: in memory where the system has such a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { TempDir::with_prefix_in("fuzz-", memory) } else { TempDir::new() };
    made.expect("a folder for the input")
});

/// Where a file of this name lies.
pub(crate) fn path(name: &str) -> PathBuf {
    FOLDER.path().join(name)
}

/// Writes a file and says where it lies.
pub(crate) fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path(name);
    fs::write(&path, bytes).expect("room for the input");
    path
}
