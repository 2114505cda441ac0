//! Freed memory goes back to the system.

/// With less, giving it back takes more time than it is worth.
const LEAST_BYTES: usize = 16 << 20;

/// Call this after freeing `bytes` in many pieces, if something as large is allocated next. glibc keeps such pieces,
/// because it has learned from the first of them that memory of this size is asked for again.
pub(crate) fn give_back(bytes: usize) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if bytes >= LEAST_BYTES {
        // SAFETY: it touches no memory that is in use.
        unsafe { libc::malloc_trim(0) };
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = (bytes, LEAST_BYTES);
}
