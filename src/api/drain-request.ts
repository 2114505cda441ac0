import type { IncomingMessage } from 'node:http'
import { GatheredRequest } from './gathered-body.ts'

/** How long a refused request may keep sending. */
const lingerMs = 5000

/** Whether bytes follow the header. Checked for every request, so that only those with a body pay for its guards. */
export function announcesBody ({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0')
}

/**
 * Reads and drops the rest of a refused body for a moment. Closing the connection at once would lose the refusal,
 * because unread bytes make the kernel reset the connection. A client that keeps sending loses its connection. Returns
 * whether the answer has to announce that the connection closes.
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
 * Drops what the connection still sends, unparsed: chunks of one byte would take the parser a hundred times as long as
 * a file of the same size, and nobody pays for an unwanted body. The connection closes after the answer, once the
 * client has had a moment to read it.
 */
function dropUnparsed (request: IncomingMessage): void {
  const { socket } = request
  if (request instanceof GatheredRequest) request.dropBody()
  // This also removes the parser's own listener.
  socket.removeAllListeners('data').on('data', () => undefined)
  // Ends readers of the body, because Node forgets a request once it is answered.
  socket.once('close', () => request.destroy())
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer)).end()
    socket.resume()
  }
}
