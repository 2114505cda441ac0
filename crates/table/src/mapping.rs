//! Files without a name as memory.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use memmap2::MmapMut;

/// Numbers of eight bytes, for which every pattern of bits is a number.
pub trait Number: Copy + Default + Send + Sync {
    /// The bytes of this number in memory.
    fn bytes(self) -> [u8; 8];
}

impl Number for i64 {
    fn bytes(self) -> [u8; 8] {
        self.to_ne_bytes()
    }
}

impl Number for f64 {
    fn bytes(self) -> [u8; 8] {
        self.to_ne_bytes()
    }
}

/// Bytes that the system brings into memory with a page.
const FAULT: usize = 1 << 16;
/// Bytes of a column that are read before its pages are given back.
const MOST_TOUCHED: usize = 32 << 20;
/// How long pages of a column stay in memory at least.
const KEPT: Duration = Duration::from_millis(20);

/// The bytes of a file that has no name any more, so that nobody else sees it and the disk has it back when it is
/// dropped.
pub(crate) struct Mapping {
    bytes: MmapMut,
    /// Bytes that were read since pages were last given back, about.
    touched: AtomicUsize,
    keeper: Option<Keeper>,
}

/// Gives pages back to the system all the time. Otherwise all of a column would count as memory of this process after
/// one pass over it, although the system can take it at any time.
struct Keeper {
    end: Sender<()>,
    thread: JoinHandle<()>,
}

impl Mapping {
    /// A new file of zeros below `folder`; none if its file system cannot reserve space. Space is reserved because a
    /// disk that is full later would kill the process.
    ///
    /// # Errors
    /// If the disk has no space for it.
    pub(crate) fn zeros(bytes: usize, folder: &Path) -> io::Result<Option<Mapping>> {
        let file = tempfile::tempfile_in(folder)?;
        match reserve(&file, bytes) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(None),
            Err(error) => return Err(error),
        }
        let mut mapping = Mapping::of(&file)?;
        mapping.keeper = Some(Keeper::start(&mapping.bytes)?);
        Ok(Some(mapping))
    }

    /// A file that is written.
    pub(crate) fn of(file: &File) -> io::Result<Mapping> {
        // SAFETY: the file has no name, so nobody else changes or shortens it.
        let bytes = unsafe { MmapMut::map_mut(file) }?;
        // Two thousand series of a sample would bring 4 GiB with them. Without huge pages there is nothing to refuse.
        #[cfg(target_os = "linux")]
        let _ = bytes.advise(memmap2::Advice::NoHugePage);
        Ok(Mapping { bytes, touched: AtomicUsize::new(0), keeper: None })
    }

    /// Call this before reading some bytes of many: if a machine is so busy that the keeper waits, a pass over all of
    /// them still has few pages in memory.
    pub(crate) fn touch(&self, bytes: usize) {
        if self.touched.fetch_add(bytes.max(FAULT), Ordering::Relaxed) > MOST_TOUCHED {
            self.touched.store(0, Ordering::Relaxed);
            self.release();
        }
    }

    pub(crate) fn release(&self) {
        release(self.bytes.as_ptr() as usize, self.bytes.len());
    }

    #[inline]
    pub(crate) fn numbers<T: Number>(&self) -> &[T] {
        // SAFETY: mappings begin at a page, every pattern of bits is a number, and the length is in whole numbers.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast(), self.bytes.len() / size_of::<T>()) }
    }

    pub(crate) fn numbers_mut<T: Number>(&mut self) -> &mut [T] {
        let len = self.bytes.len() / size_of::<T>();
        // SAFETY: as above, and the mapping is borrowed for writing.
        unsafe { std::slice::from_raw_parts_mut(self.bytes.as_mut_ptr().cast(), len) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // It must not name pages that are no longer ours.
        if let Some(Keeper { end, thread }) = self.keeper.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}

impl Keeper {
    fn start(bytes: &MmapMut) -> io::Result<Keeper> {
        let (end, ended) = channel::<()>();
        let (start, len) = (bytes.as_ptr() as usize, bytes.len());
        let thread = thread::Builder::new().name("table-pages".to_owned()).spawn(move || {
            while ended.recv_timeout(KEPT) == Err(RecvTimeoutError::Timeout) {
                release(start, len);
            }
        })?;
        Ok(Keeper { end, thread })
    }
}

/// The pages of a mapping from `start` on need not stay in memory.
fn release(start: usize, len: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: the pages are those of a mapping that still exists. They are shared with a file, which keeps what was
    // written to them, so whoever reads them next finds the same bytes.
    unsafe {
        libc::madvise(start as *mut libc::c_void, len, libc::MADV_DONTNEED);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, len);
}

/// Reserves space for a file of this size, which is zeros.
#[cfg(target_os = "linux")]
fn reserve(file: &File, bytes: usize) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is that of an open file.
    match unsafe { libc::posix_fallocate64(file.as_raw_fd(), 0, bytes as i64) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: usize) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
