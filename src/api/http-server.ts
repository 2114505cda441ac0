import { createServer, type RequestListener, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { RequestLines } from './request-line.ts'

const lingerMs = 1_000

/** The server under the framework, which makes one for each address that it listens on. */
export function httpServer (answer: RequestListener): Server {
  const lines = new RequestLines(answer)
  const server = createServer({
    IncomingMessage: lines.requestClass(),
    headersTimeout: 15_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 10_000,
    // Uploads may take long; `limitBodyTime` and the rate of an upload bound them instead.
    requestTimeout: 0,
    // A missing Host has to be refused with the envelope, see markEveryResponse.
    requireHostHeader: false
  }, lines.listener)
  server.on('upgrade', (_request, socket) => endOf(socket))
  server.setTimeout(120_000)
  return server
}

/**
 * The line of the connection has ended, and says why. Bytes that nobody reads would take that back before the client
 * has read it: so what it still sends is dropped until it has noticed, for a moment.
 */
function endOf (socket: Duplex): void {
  const end = (): void => {
    socket.destroy()
  }
  const timer = setTimeout(end, lingerMs)
  socket.on('error', end).once('end', end).once('close', () => clearTimeout(timer)).resume()
}
