import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'
import { SpreadCalls } from '../../platform/turns/spread-calls.ts'
import { errorEnvelope, errorHeaders } from '../error-envelope.ts'
import { requestId } from '../request-id.ts'

/** Answers what Node would answer itself, past the framework and without an envelope. */
export function answerOutsideRequests ({ server }: FastifyInstance): void {
  // The hook of every response refuses expectations; here the request only has to reach it.
  server.on('checkExpectation',
    (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response))
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    refuseOutside(socket, new TabcastError('method_not_allowed', 'This service is not a proxy.', {
      headers: { allow: 'DELETE, GET, HEAD, POST, PUT' }
    }))
  })
}

/**
 * For bytes that are no request. Node only passes the socket. Connections that began together also expire together, so
 * they are ended a few per pass of the event loop.
 */
export function answerClientErrors (log: FastifyBaseLogger): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const expired = new SpreadCalls((error) => log.warn({ err: error }, 'cannot answer an expired connection'))
  const end = (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuseOutside(socket, clientRefusal(error))
  }
  return (error, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') expired.call(() => end(error, socket))
    else end(error, socket)
  }
}

function clientRefusal ({ code }: NodeJS.ErrnoException): TabcastError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new TabcastError('request_timeout')
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new TabcastError('validation_error', 'The header is too long.', { status: 431 })
  }
  return new TabcastError('validation_error', 'The bytes received are not a valid HTTP request.', { status: 400 })
}

/** Past the framework: the last answer of the connection. */
export function refuseOutside (socket: Duplex, refusal: TabcastError): void {
  const id = requestId({ headers: {} })
  const body = JSON.stringify(errorEnvelope(refusal, id))
  const headers = {
    ...errorHeaders(refusal),
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
    connection: 'close'
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`)
}
