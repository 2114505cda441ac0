import * as native from '#native'

/** A socket that listens but is not read in this process: a child process inherits it. */
export interface ListeningSocket {
  readonly port: number
  /** The file descriptor, for the `stdio` of a child process. */
  readonly fd: number
  close(): void
}

/** The garbage collector would close a socket that nobody refers to, so open sockets are kept here. */
const open = new Set<native.ListeningSocket>()

/**
 * Listens on an address of this machine; port 0 picks a free one. If it cannot, throws with `code` EADDRINUSE, EACCES
 * or EADDRNOTAVAIL, or without a code for other reasons.
 */
export function listenTcp (host: string, port: number): ListeningSocket {
  const { socket, code, error } = native.listenTcp(host, port)
  if (socket === undefined) throw Object.assign(new Error(error ?? 'cannot listen'), { code })
  open.add(socket)
  return {
    port: socket.port,
    fd: socket.fd,
    close () {
      socket.close()
      open.delete(socket)
    }
  }
}
