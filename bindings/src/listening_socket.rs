//! `listenTcp`: a listening socket for another process.

use std::io;
use std::net::{TcpListener, ToSocketAddrs};
use std::os::fd::AsRawFd;

use napi_derive::napi;

/// A listening socket from which another process accepts; until it does, connections wait in the kernel. It ends with
/// `close`, or with the process.
#[napi]
#[derive(Debug)]
pub struct ListeningSocket {
    listener: Option<TcpListener>,
    /// The port on which it listens.
    #[napi(readonly)]
    pub port: u16,
}

#[napi]
impl ListeningSocket {
    /// The file descriptor, for a child process to inherit.
    ///
    /// # Errors
    ///
    /// If the socket has been closed.
    #[napi(getter, catch_unwind)]
    pub fn fd(&self) -> napi::Result<i32> {
        let listener = self.listener.as_ref();
        listener.map(AsRawFd::as_raw_fd).ok_or_else(|| napi::Error::from_reason("the socket was closed"))
    }

    /// Refuses waiting and new connections; a second call does nothing.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.listener = None;
    }
}

/// `socket`, or the `error` of the operating system, with its `code` if it is a known one.
#[napi(object, object_from_js = false)]
#[derive(Debug, Default)]
pub struct ListenReply {
    /// The socket, if it listens.
    pub socket: Option<ListeningSocket>,
    /// EADDRINUSE, EACCES, EADDRNOTAVAIL, or nothing.
    pub code: Option<String>,
    /// The error.
    pub error: Option<String>,
}

/// Listens on an address or host name of this machine; port 0 means any free port. std sets `O_CLOEXEC`, so only a
/// child process that is given the socket has it.
#[napi(catch_unwind)]
pub fn listen_tcp(host: String, port: u16) -> ListenReply {
    match listen(host, port) {
        Ok(socket) => ListenReply { socket: Some(socket), ..ListenReply::default() },
        Err(error) => ListenReply {
            code: code_of(&error).map(str::to_owned),
            error: Some(error.to_string()),
            ..ListenReply::default()
        },
    }
}

fn listen(host: String, port: u16) -> io::Result<ListeningSocket> {
    // An unknown host name has no code of its own.
    let named = (host, port);
    let addresses = named
        .to_socket_addrs()
        .map_err(|error| io::Error::new(io::ErrorKind::AddrNotAvailable, error.to_string()))?;
    let listener = TcpListener::bind(addresses.collect::<Vec<_>>().as_slice())?;
    let port = listener.local_addr()?.port();
    Ok(ListeningSocket { listener: Some(listener), port })
}

fn code_of(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::AddrInUse => Some("EADDRINUSE"),
        io::ErrorKind::PermissionDenied => Some("EACCES"),
        io::ErrorKind::AddrNotAvailable => Some("EADDRNOTAVAIL"),
        _ => None,
    }
}
