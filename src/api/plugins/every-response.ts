import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'
import { announcesBody, drainRequest } from '../drain-request.ts'
import { refuseHost } from '../request-host.ts'

/**
 * What every answer carries, set by one synchronous hook: reads are small and many, and each further hook costs them.
 * The interface answers data, so nothing may be framed, sniffed or kept; the pages under /docs bring their own policy.
 */
export function markEveryResponse (app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    // Nobody wants it: read to its end it might have none.
    if ((request.method === 'GET' || request.method === 'HEAD') && drainRequest(request.raw)) {
      reply.header('connection', 'close')
    }
    if (isClosing) {
      afterBody(request.raw, () => done(new TabcastError('server_overloaded', 'The service is shutting down.')))
    } else done(refuseHost(request.raw) ?? refuseExpectation(request.headers.expect))
  })
}

/** How long the body of a request is read before its refusal. */
const lingerMs = 1_000

/**
 * The connection ends with the refusal, and a client that still writes would not get to read it: so what it sends is
 * read first, and dropped.
 */
function afterBody (request: IncomingMessage, refuse: () => void): void {
  if (request.complete || !announcesBody(request)) {
    refuse()
    return
  }
  const timer = setTimeout(settle, lingerMs)
  function settle (): void {
    clearTimeout(timer)
    request.off('end', settle).off('close', settle)
    refuse()
  }
  request.once('end', settle).once('close', settle).resume()
}

/** Node has answered `100-continue` by now. */
function refuseExpectation (expect: string | undefined): TabcastError | undefined {
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined
  return new TabcastError('validation_error', 'Only 100-continue can be expected.', { status: 417 })
}
