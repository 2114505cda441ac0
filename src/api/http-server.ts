import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { RequestLines } from './request-line.ts'

const lingerMs = 1_000

/**
 * The server under the framework, which calls this for each address that it listens on. `unanswered` receives a request
 * that arrived whole and whose connection ends because nothing answered it for `silentMs`.
 */
export function httpServer (answer: RequestListener, unanswered: (request: IncomingMessage) => void,
  silentMs = 120_000): Server {
  const lines = new RequestLines(answer)
  const server = createServer({
    IncomingMessage: lines.requestClass(),
    headersTimeout: 15_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 10_000,
    // Uploads may take long; `limitBodyTime` and the minimum upload rate limit them instead.
    requestTimeout: 0,
    // markEveryResponse refuses a missing Host with the envelope.
    requireHostHeader: false
  }, lines.listener)
  server.on('upgrade', (_request, socket) => endOf(socket))
  server.setTimeout(silentMs, (socket) => {
    const request = lines.unanswered(socket)
    if (request !== undefined) unanswered(request)
    socket.destroy()
  })
  return server
}

/**
 * Ends a connection with its last answer. Unread bytes would make the kernel withdraw that answer, so the connection
 * drops what the client still sends, for a moment.
 */
function endOf (socket: Duplex): void {
  const end = (): void => {
    socket.destroy()
  }
  const timer = setTimeout(end, lingerMs)
  socket.on('error', end).once('end', end).once('close', () => clearTimeout(timer)).resume()
}
