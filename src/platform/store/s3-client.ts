import { AsyncLocalStorage } from 'node:async_hooks'
import http from 'node:http'
import https from 'node:https'
import { Client } from 'minio'

export interface S3Options {
  /** http or https address without a path. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** A request is given up after this much silence. */
  timeoutMs: number
}

/** Statuses of a server that may take the same request later; the body adds nothing. */
const passingStatuses = new Set([408, 429, 500, 502, 503, 504])
/** Enough for every concurrent download and upload of one process. */
const maxSockets = 256
const maxFreeSockets = 32

/** The server answered with one of the statuses that may pass. */
export class S3StatusError extends Error {
  override name = 'S3StatusError'
  readonly status: number

  constructor (status: number) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

/** The signal that aborts the requests made while it is set; the client library takes no signal. */
export const requestSignal = new AsyncLocalStorage<AbortSignal | undefined>()

/**
 * The client for one endpoint. It makes no requests of its own: the region is given, and every request is made once.
 */
export function connectS3 ({ endpoint, region, accessKeyId, secretAccessKey, timeoutMs }: S3Options): Client {
  const { protocol, hostname, port } = new URL(endpoint)
  const useSSL = protocol === 'https:'
  const agent = new (useSSL ? https : http).Agent({ keepAlive: true, maxSockets, maxFreeSockets })
  return new Client({
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port: Number(port) }),
    useSSL,
    region,
    accessKey: accessKeyId,
    secretKey: secretAccessKey,
    pathStyle: true,
    transportAgent: agent,
    transport: { request: timedRequest(useSSL ? https.request : http.request, timeoutMs) },
    retryOptions: { disableRetry: true }
  })
}

/**
 * The client library has no timeout. For a status that may pass, it neither says which it was nor reads the response,
 * so that the socket would never be free again.
 */
function timedRequest (send: typeof http.request, timeoutMs: number): typeof http.request {
  const request = (options: http.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void): http.ClientRequest => {
    let answer: http.IncomingMessage | undefined
    const signal = requestSignal.getStore()
    // As an option, because `setTimeout` would not count while the connection is made.
    const timed = { ...options, timeout: timeoutMs }
    const sent = send(signal === undefined ? timed : { ...timed, signal }, (response) => {
      answer = response
      const { statusCode = 0 } = response
      if (!passingStatuses.has(statusCode)) return onResponse(response)
      response.on('error', () => sent.destroy()).resume()
      sent.emit('error', new S3StatusError(statusCode))
    })
    sent.on('timeout', () => {
      // If the reader is slow, the silence is not the server's.
      if (answer !== undefined && answer.readableLength >= answer.readableHighWaterMark) return
      sent.destroy(Object.assign(new Error(`no sign of life for ${timeoutMs} ms`), { code: 'ETIMEDOUT' }))
    })
    return sent
  }
  // The client library uses this overload of http.request.
  return request as typeof http.request
}
