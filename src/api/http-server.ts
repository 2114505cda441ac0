import { createServer, type RequestListener, type Server } from 'node:http'
import { RequestLines } from './request-line.ts'

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
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    // After its line has told why.
    setImmediate(() => socket.destroy())
  })
  server.setTimeout(120_000)
  return server
}
