//! `lockFile`: one process per data folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};

use napi_derive::napi;

/// An exclusive lock of the kernel (flock) on a file. It ends with `release`, or with the process in any case.
#[napi]
#[derive(Debug)]
pub struct FileLock {
    file: Option<File>,
}

#[napi]
impl FileLock {
    /// Releases the lock; a second call does nothing.
    #[napi(catch_unwind)]
    pub fn release(&mut self) {
        // The file itself stays: removing it would let two processes lock two files of one name.
        self.file = None;
    }
}

/// `lock`, or the `holder`'s text if another process has the lock, or the `error` of the file system.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct LockReply {
    /// The lock, if it was taken.
    pub lock: Option<FileLock>,
    /// The text that the process with the lock wrote into the file.
    pub holder: Option<String>,
    /// The error.
    pub error: Option<String>,
}

/// Tries to lock the file at `path`, which is created if missing, and writes `holder_text` into it.
#[napi(catch_unwind)]
pub fn lock_file(path: String, holder_text: String) -> LockReply {
    match try_lock(path, holder_text) {
        Ok(reply) => reply,
        Err(error) => LockReply { error: Some(error.to_string()), ..LockReply::default() },
    }
}

/// `File::try_lock` is flock(2) with `LOCK_EX | LOCK_NB`, and std opens files with `O_CLOEXEC`, so a child process does
/// not keep the lock alive.
fn try_lock(path: String, holder_text: String) -> io::Result<LockReply> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => {
            file.set_len(0)?;
            file.write_all(&holder_text.into_bytes())?;
            Ok(LockReply { lock: Some(FileLock { file: Some(file) }), ..LockReply::default() })
        }
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            file.read_to_string(&mut holder)?;
            Ok(LockReply { holder: Some(holder), ..LockReply::default() })
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}
