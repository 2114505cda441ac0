import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'
import { readTraceparent, traceIdOf } from '../../platform/log/trace-context.ts'
import { drainRequest } from '../drain-request.ts'
import { asTabcastError, errorEnvelope, errorHeaders } from '../error-envelope.ts'
import { JsonRefusal, parseBoundedJson } from '../validation/bounded-json.ts'

/** Everything that is thrown in a hook, parser, validator, handler or serializer ends here. */
export function handleErrors (app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply))
}

export function sendError (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = isCutOff(thrown, request)
    ? new TabcastError('validation_error', 'The connection ended within the body.', { status: 400 })
    : asTabcastError(thrown)
  // Our own 503s need no log line, unless another error caused them.
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
    // As text, because the serializers may be what failed.
    .send(JSON.stringify(errorEnvelope(error, request.id)))
}

/** The client left during its upload, which is no failure of the service. */
function isCutOff (thrown: unknown, { raw }: FastifyRequest): boolean {
  return (thrown as NodeJS.ErrnoException | null)?.code === 'ECONNRESET' && raw.destroyed && !raw.complete
}

/** For an address that the router cannot parse. No hook has run, so the request id is set here. */
export function sendFrameworkError (thrown: Error, request: FastifyRequest, reply: FastifyReply): void {
  void sendError(thrown, request, reply.header('x-request-id', request.id))
}

/** Parses JSON bodies within the same limits as JSON in forms. No other media type is parsed unless a route adds it. */
export function parseJsonBodies (app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.inTurn(() => {
      try {
        request.checkAndMeter()
        done(null, parseBoundedJson(String(body)))
      } catch (error) {
        if (!(error instanceof JsonRefusal)) done(error as Error)
        else done(new TabcastError('validation_error', `The body is refused: ${error.message}.`, { status: 400 }))
      }
    })
  })
}
