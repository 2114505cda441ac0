import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'
import { announcesBody, drainRequest } from '../drain-request.ts'
import { refuseHost } from '../request-host.ts'

/**
 * Headers of every answer, set by one synchronous hook, because each further hook slows down the many small reads. The
 * API answers data, so nothing may be framed, sniffed or cached; the pages under /docs have a policy of their own.
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
    // Such a body is unwanted, and may never end.
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
 * The connection closes with the refusal, and a client that is still writing might not get to read it. So what it sends
 * is read first, and dropped.
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

/** Node has already answered `100-continue`. */
function refuseExpectation (expect: string | undefined): TabcastError | undefined {
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined
  return new TabcastError('validation_error', 'Only 100-continue can be expected.', { status: 417 })
}
