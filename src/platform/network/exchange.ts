import { once } from 'node:events'
import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { boundInterimAnswers } from './bound-interim.ts'

export interface Exchange {
  url: URL
  headers: Record<string, string>
  /** The body of a POST; absent: the request is a GET. */
  content?: string
  /** An agent of a NetworkPolicy. */
  agent: Agent
  timeoutMs: number
  /** The most bytes that the body may have, inflated. */
  maxBytes: number
  /** Aborts the exchange. */
  signal?: AbortSignal
}

export interface Answer {
  status: number
  /** Without parameters, in lower case. */
  contentType: string
  retryAfter: string | undefined
  body: Buffer
}

/** The body is larger than the caller allows; the connection is closed at once. */
export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge'
}

/** The whole exchange took longer than allowed. */
export class ExchangeTimeout extends Error {
  override name = 'ExchangeTimeout'
}

/**
 * Makes one request and returns the answer. A redirect is an answer like any other. Rejects with BodyTooLarge,
 * ExchangeTimeout or the signal's reason, or with an error of node:http or node:zlib.
 */
export async function exchange (wanted: Exchange): Promise<Answer> {
  const { url, headers, content, agent, timeoutMs, maxBytes, signal: given } = wanted
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(new ExchangeTimeout()), timeoutMs)
  const signal = given === undefined ? over.signal : AbortSignal.any([over.signal, given])
  try {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: content === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'accept-encoding': 'gzip' },
      agent,
      signal
    })
    // Errors before the answer reject below; later ones arrive through the body.
    request.on('error', () => request.destroy())
    boundInterimAnswers(request, () => new Error('no answer comes'))
    // The service never asks for another protocol. Without a listener, the request would end without an error.
    request.once('upgrade', (_answer, socket) => {
      socket.destroy()
      request.emit('error', new Error('another protocol'))
    })
    request.end(content)
    const [response] = await once(request, 'response', { signal }) as [IncomingMessage]
    const body = await readBody(response, maxBytes)
    const contentType = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    return { status: response.statusCode ?? 0, contentType, retryAfter: response.headers['retry-after'], body }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

async function readBody (response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of inflated(response)) {
      bytes += (chunk as Buffer).length
      if (bytes > maxBytes) throw new BodyTooLarge()
      chunks.push(chunk as Buffer)
    }
  } finally {
    response.destroy()
  }
  return Buffer.concat(chunks, bytes)
}

function inflated (response: IncomingMessage): Readable {
  if (response.headers['content-encoding']?.toLowerCase() !== 'gzip') return response
  const gunzip = createGunzip()
  response.on('error', (error) => gunzip.destroy(error))
  return response.pipe(gunzip)
}
