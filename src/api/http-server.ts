import { createServer, type RequestListener, type Server } from 'node:http'
import { oneAtATime } from './request-line.ts'

/** The server under the framework, which makes one for each address that it listens on. */
export function httpServer (answer: RequestListener): Server {
  const server = createServer({
    headersTimeout: 15_000,
    connectionsCheckingInterval: 5_000,
    keepAliveTimeout: 10_000,
    // Uploads may take long; `limitBodyTime` and the rate of an upload bound them instead.
    requestTimeout: 0,
    // A missing Host has to be refused with the envelope, see markEveryResponse.
    requireHostHeader: false
  }, oneAtATime(answer))
  server.setTimeout(120_000)
  return server
}
