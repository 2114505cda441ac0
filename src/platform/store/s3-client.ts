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
  /** Silence after which a request is given up. */
  timeoutMs: number
}

/** Statuses of a server that may take the same request later; its body says nothing more. */
const passingStatuses = new Set([408, 429, 500, 502, 503, 504])
/** Enough for every download and upload that one process has under way. */
const maxSockets = 256
const maxFreeSockets = 32

/** The server answered with a status that passes. */
export class S3StatusError extends Error {
  override name = 'S3StatusError'
  readonly status: number

  constructor (status: number) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

/** Breaks off the requests that are made while it is set: the client library takes no signal. */
export const requestSignal = new AsyncLocalStorage<AbortSignal | undefined>()

/** The client for one endpoint. It asks nothing by itself: the region is given, and every request is made once. */
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
 * The client library has no timeout, and on a status that passes it neither says which nor reads the answer, so that
 * the socket would never be free again.
 */
function timedRequest (send: typeof http.request, timeoutMs: number): typeof http.request {
  const request = (options: http.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void): http.ClientRequest => {
    let answer: http.IncomingMessage | undefined
    const signal = requestSignal.getStore()
    const sent = send(signal === undefined ? options : { ...options, signal }, (response) => {
      answer = response
      const { statusCode = 0 } = response
      if (!passingStatuses.has(statusCode)) return onResponse(response)
      response.on('error', () => sent.destroy()).resume()
      sent.emit('error', new S3StatusError(statusCode))
    })
    sent.setTimeout(timeoutMs, () => {
      // A reader that takes its time is not the server's silence.
      if (answer !== undefined && answer.readableLength >= answer.readableHighWaterMark) return
      sent.destroy(Object.assign(new Error(`no sign of life for ${timeoutMs} ms`), { code: 'ETIMEDOUT' }))
    })
    return sent
  }
  // Of the overloads of http.request this is the one that the client library uses.
  return request as typeof http.request
}
