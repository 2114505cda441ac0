import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'
import { readTraceparent, traceIdOf } from '../../platform/log/trace-context.ts'
import { drainRequest } from '../drain-request.ts'
import { asTabcastError, errorEnvelope, errorHeaders } from '../error-envelope.ts'
import { JsonRefusal, parseBoundedJson } from '../validation/bounded-json.ts'

/** Everything that is thrown in a hook, a parser, a validator, a handler or the serializer ends here. */
export function handleErrors (app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply))
}

export function sendError (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = isCutOff(thrown, request)
    ? new TabcastError('validation_error', 'The connection ended within the body.', { status: 400 })
    : asTabcastError(thrown)
  // A 503 of ours says all there is to say, unless something else is behind it.
  if (error.status >= 500 && (error.status !== 503 || error.cause !== undefined)) {
    const traceparent = readTraceparent(request.headers['traceparent'])
    const traceId = traceparent && traceIdOf(traceparent)
    request.log.error({
      err: error.cause ?? error,
      code: error.code,
      tenant: request.identity?.tenant,
      requestId: request.id,
      traceId,
      method: request.method,
      route: request.routeOptions.url
    }, 'request failed')
  }
  if (drainRequest(request.raw)) reply.header('connection', 'close')
  return reply
    .code(error.status)
    .headers(errorHeaders(error))
    // As text, past the serializers: the envelope has to go out even when a response schema is what failed.
    .send(JSON.stringify(errorEnvelope(error, request.id)))
}

/** The client left while it sent: nothing of ours has failed. */
function isCutOff (thrown: unknown, { raw }: FastifyRequest): boolean {
  return (thrown as NodeJS.ErrnoException | null)?.code === 'ECONNRESET' && raw.destroyed && !raw.complete
}

/** For an address that the router cannot read: no hook has run, so the request id is set here. */
export function sendFrameworkError (thrown: Error, request: FastifyRequest, reply: FastifyReply): void {
  void sendError(thrown, request, reply.header('x-request-id', request.id))
}

/**
 * JSON bodies go through the same bounds as JSON inside forms. No other media type is parsed unless a route adds it.
 */
export function parseJsonBodies (app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.inTurn(() => {
      try {
        request.takeTurn()
        done(null, parseBoundedJson(String(body)))
      } catch (error) {
        if (!(error instanceof JsonRefusal)) done(error as Error)
        else done(new TabcastError('validation_error', `The body is refused: ${error.message}.`, { status: 400 }))
      }
    })
  })
}
