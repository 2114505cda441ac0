import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { pipeline } from 'node:stream'
import { boundInterimAnswers } from '../../platform/network/bound-interim.ts'
import { GatheredAnswer } from '../../platform/network/gathered-answer.ts'

/**
 * An answer that is not a success. The library would drop the body of some, and repeat the request with a stream that
 * is used up.
 */
export class ProviderStatusError extends Error {
  override name = 'ProviderStatusError'
  readonly status: number
  /** As the provider names it; empty when it does not. */
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

/** A page of 1,000 keys of 1,024 bytes, each byte of which may be written as three. It is read as it comes. */
const maxListBytes = 4 * 1024 * 1024
/** Of what the library reads and parses at once, all of it shorter: 256 KiB of elements took its parser 100 ms. */
const maxAnswerBytes = 16 * 1024
const maxFailureBytes = 64 * 1024

export interface ProviderTransport {
  request(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest
}

/**
 * What the library sends requests with: gives up on silence and at the signal, and bounds what it would read into
 * memory.
 */
export function providerTransport (
  { timeoutMs, signal }: { timeoutMs: number, signal: AbortSignal }
): ProviderTransport {
  return {
    request (options, callback) {
      let response: IncomingMessage | undefined
      const request = (options.protocol === 'https:' ? https : http).request({ ...options, signal }, (answer) => {
        response = answer
        if ((answer.statusCode ?? 0) >= 300) fail(request, answer)
        else callback(gathered(answer, isContent(options) ? Infinity : isList(options) ? maxListBytes : maxAnswerBytes))
      })
      boundInterimAnswers(request, () => new Error('the store does not come to its answer'))
      // Nobody asked for another protocol; unanswered, the request would end without a word to anybody.
      request.once('upgrade', (answer, socket) => {
        socket.destroy()
        request.emit('error', new ProviderStatusError(answer.statusCode ?? 101, ''))
      })
      request.setTimeout(timeoutMs, () => {
        const error = new ProviderTimeout('the store is silent')
        response?.destroy(error)
        request.destroy(error)
      })
      return request
    }
  }
}

/** Only an object's content is asked for without a query; whoever asked for it counts its bytes. */
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

/** The request has its answer, so that its `destroy` would not tell anybody: the error is told first. */
function fail (request: ClientRequest, answer: IncomingMessage): void {
  let text = ''
  let told = false
  const tell = (): void => {
    if (told) return
    told = true
    const [, code = ''] = /<Code>([A-Za-z.]{1,64})<\/Code>/.exec(text) ?? []
    request.emit('error', new ProviderStatusError(answer.statusCode ?? 0, code))
    request.destroy()
  }
  const pieces = gathered(answer, maxFailureBytes)
  pieces.setEncoding('latin1')
  pieces.on('data', (piece: string) => {
    text += piece
  })
  pieces.on('end', tell)
  pieces.on('error', tell)
  pieces.on('close', tell)
}
