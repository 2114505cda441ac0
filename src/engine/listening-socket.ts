import * as native from '#native'

/** A socket that listens and from which nobody in this process reads: a child process inherits it. */
export interface ListeningSocket {
  readonly port: number
  /** The file descriptor, for the `stdio` of a child. */
  readonly fd: number
  close(): void
}

/** What is garbage collected would be closed, so this room keeps what is open. */
const open = new Set<native.ListeningSocket>()

/**
 * Listens on an address of this machine; port 0: a free one. Throws with `code` EADDRINUSE, EACCES or EADDRNOTAVAIL
 * where it is one of these.
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
