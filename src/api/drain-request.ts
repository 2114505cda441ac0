import type { IncomingMessage } from 'node:http'
import { GatheredRequest } from './gathered-body.ts'

/** How long a refused request may go on sending. */
const lingerMs = 5000

/** Whether bytes follow the header. Asked of every read, so that only requests with a body pay for its guards. */
export function announcesBody ({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
}

/**
 * A refusal that is sent while the client still sends would be lost if the connection were closed at once: unread bytes
 * make the kernel reset it. So the rest is read and dropped for a moment; a client that does not stop loses its
 * connection. Whether the answer has to say that the connection ends with it.
 */
export function drainRequest (request: IncomingMessage): boolean {
  if (request.complete || request.destroyed || !announcesBody(request)) return false
  if (request.headers['transfer-encoding'] !== undefined) {
    dropUnparsed(request)
    return true
  }
  const timer = setTimeout(() => request.destroy(), lingerMs).unref()
  const settled = (): void => clearTimeout(timer)
  request.once('end', settled).once('close', settled).once('error', settled)
  request.unpipe()
  request.resume()
  return false
}

/**
 * Whatever the connection still brings is dropped as it is: chunks of a byte each would take the parser a hundred times
 * as long as the bytes of a file, and nobody pays for a body that nobody wants. The connection ends behind the answer,
 * once the client has had a moment to read it.
 */
function dropUnparsed (request: IncomingMessage): void {
  const { socket } = request
  if (request instanceof GatheredRequest) request.dropBody()
  // The parser's own listener is among them.
  socket.removeAllListeners('data').on('data', () => undefined)
  // Whoever still reads the body: Node forgets a request that is answered.
  socket.once('close', () => request.destroy())
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer)).end()
    socket.resume()
  }
}
