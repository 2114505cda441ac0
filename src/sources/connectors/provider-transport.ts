import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { pipeline } from 'node:stream'
import { boundInterimAnswers } from '../../platform/network/bound-interim.ts'
import { GatheredAnswer, UnboundedAnswer } from '../../platform/network/gathered-answer.ts'

/**
 * An answer without success. The library itself would drop the body of some, and would repeat a request whose stream is
 * used up.
 */
export class ProviderStatusError extends Error {
  override name = 'ProviderStatusError'
  readonly status: number
  /** The provider's code; empty if it gives none. */
  readonly code: string

  constructor (status: number, code: string) {
    super(`the store answered ${status} ${code}`)
    this.status = status
    this.code = code
  }
}

export class ProviderTimeout extends Error {
  override name = 'ProviderTimeout'
}

/** Enough for a page of 1,000 keys of 1,024 bytes, each byte written as three. The page is parsed while it arrives. */
const maxListBytes = 4 * 1024 * 1024
/** For answers that the library parses in one go, all of them shorter: 256 KiB of elements took its parser 100 ms. */
const maxAnswerBytes = 16 * 1024
const maxFailureBytes = 64 * 1024

export interface ProviderTransport {
  request(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest
}

/**
 * Sends the library's requests. It gives up on silence, on headers that do not end and when the signal aborts, and
 * limits what the library would read into memory.
 */
export function providerTransport (
  { timeoutMs, signal }: { timeoutMs: number, signal: AbortSignal }
): ProviderTransport {
  return {
    request (options, callback) {
      let response: IncomingMessage | undefined
      let headers: NodeJS.Timeout | undefined
      const request = (options.protocol === 'https:' ? https : http).request({
        ...options,
        signal,
        // As an option, because `setTimeout` would not count while the connection is made.
        timeout: timeoutMs
      }, (answer) => {
        response = answer
        clearTimeout(headers)
        if (!isSuccess(options, answer)) fail(request, answer, timeoutMs)
        else callback(gathered(answer, isContent(options) ? Infinity : isList(options) ? maxListBytes : maxAnswerBytes))
      })
      boundInterimAnswers(request, () => new UnboundedAnswer('interim answers without end'))
      // The service never asks for another protocol. Without a listener, the request would end without an error.
      request.once('upgrade', (answer, socket) => {
        socket.destroy()
        request.emit('error', new ProviderStatusError(answer.statusCode ?? 101, ''))
      })
      const giveUp = (): void => {
        const error = new ProviderTimeout('the store sent no complete headers in time, or fell silent')
        response?.destroy(error)
        request.destroy(error)
      }
      request.on('timeout', giveUp)
      // A store that sends a line of them now and then is not silent.
      request.once('finish', () => {
        if (response === undefined) headers = setTimeout(giveUp, timeoutMs)
      })
      request.once('close', () => clearTimeout(headers))
      return request
    }
  }
}

/** A store answers a read with content. Whatever answers 204 is no store, and never will be one. */
function isSuccess ({ method }: RequestOptions, { statusCode = 0 }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD' ? statusCode === 200 || statusCode === 206 : statusCode < 300
}

/** Only an object's content is requested without a query; its bytes are counted by the caller. */
function isContent ({ method, path }: RequestOptions): boolean {
  return method === 'GET' && !(path ?? '').includes('?')
}

function isList ({ method, path }: RequestOptions): boolean {
  return method === 'GET' && /[?&]list-type=2/.test(path ?? '')
}

function gathered (answer: IncomingMessage, maxBytes: number): IncomingMessage {
  const pieces = new GatheredAnswer(maxBytes)
  pipeline(answer, pieces, () => undefined)
  return Object.assign(pieces, { statusCode: answer.statusCode, headers: answer.headers }) as unknown as IncomingMessage
}

/**
 * Once a request has its answer, its `destroy` reports nothing, so the error is emitted first. A body that takes longer
 * than `timeoutMs` is told without its end.
 */
function fail (request: ClientRequest, answer: IncomingMessage, timeoutMs: number): void {
  let text = ''
  let told = false
  const tell = (): void => {
    if (told) return
    told = true
    clearTimeout(timer)
    const [, code = ''] = /<Code>([A-Za-z.]{1,64})<\/Code>/.exec(text) ?? []
    request.emit('error', new ProviderStatusError(answer.statusCode ?? 0, code))
    request.destroy()
  }
  const timer = setTimeout(tell, timeoutMs)
  const pieces = gathered(answer, maxFailureBytes)
  pieces.setEncoding('latin1')
  pieces.on('data', (piece: string) => {
    text += piece
  })
  pieces.on('end', tell)
  pieces.on('error', tell)
  pieces.on('close', tell)
}
