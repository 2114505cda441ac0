import type { IncomingMessage } from 'node:http'

/** How long a refused request may go on sending. */
const lingerMs = 5000

/** Whether bytes follow the header. Asked of every read, so that only requests with a body pay for its guards. */
export function announcesBody ({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0')
}

/**
 * A refusal that is sent while the client still sends would be lost if the connection were closed at once: unread bytes
 * make the kernel reset it. So the rest is read and dropped for a moment; a client that does not stop loses its connection.
 */
export function drainRequest (request: IncomingMessage): void {
  if (request.complete || request.destroyed || !announcesBody(request)) return
  const timer = setTimeout(() => request.destroy(), lingerMs).unref()
  const settled = (): void => clearTimeout(timer)
  request.once('end', settled).once('close', settled).once('error', settled)
  request.unpipe()
  request.resume()
}
