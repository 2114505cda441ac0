import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { boundInterimAnswers } from '../../platform/network/bound-interim.ts'
import type { NetworkPolicy } from '../../platform/network/network-policy.ts'
import { NetworkRefusal } from '../../platform/network/network-refusal.ts'
import type { Outcome } from './callback-ledger.ts'
import type { AttemptError } from './tables.ts'

export interface Post {
  /** The tenant that gave the address. */
  tenant: string
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
  /** Ends the attempt; `postCallback` then rejects. */
  signal: AbortSignal
}

/**
 * Nobody uses the answer's body; beyond this it is cut off. Small pieces count as `pieceBytes`, because each takes time
 * of the main thread.
 */
const maxAnswerBytes = 64 * 1024
const pieceBytes = 256
const gone = 410

/** One attempt over its own connection. Failures are part of its outcome. */
export async function postCallback (policy: NetworkPolicy, post: Post): Promise<Outcome> {
  const atMs = Date.now()
  const startMs = performance.now()
  const outcome = (statusCode: number | null, error: AttemptError | null, retryAfterMs = 0): Outcome => ({
    atMs,
    statusCode,
    error,
    durationMs: Math.round(performance.now() - startMs),
    retryAfterMs,
    isFinal: statusCode === gone
  })
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), post.timeoutMs)
  const giveUp = () => over.abort()
  post.signal.addEventListener('abort', giveUp, { once: true })
  try {
    const response = await answerTo(policy, post, over.signal)
    const { statusCode = 0 } = response
    await drain(response)
    return outcome(statusCode, errorOfStatus(statusCode), retryAfter(response.headers['retry-after']))
  } catch (error) {
    if (post.signal.aborted) throw error
    return outcome(null, over.signal.aborted ? 'timeout' : errorOf(error))
  } finally {
    clearTimeout(timer)
    post.signal.removeEventListener('abort', giveUp)
  }
}

/** Rejects when the signal aborts before the head of the answer. Later, the signal cuts the answer off. */
async function answerTo (policy: NetworkPolicy, { tenant, url, headers, body }: Post,
  signal: AbortSignal): Promise<IncomingMessage> {
  // The settings may have changed since the address was accepted.
  const target = policy.checkUrl(url)
  const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: policy.agent(target.protocol, { tenant }),
    signal
  })
  // Errors before the answer reject below. An error after it, such as a reset, does not change the answer.
  request.on('error', () => request.destroy())
  boundInterimAnswers(request,
    () => Object.assign(new Error('the receiver does not come to its answer'), { code: 'HPE_INTERIM' }))
  request.end(body)
  // A request that is still resolving its host cannot be destroyed yet, so `once` needs the signal too.
  const [response] = await once(request, 'response', { signal }) as [IncomingMessage]
  return response
}

/** Reads enough that a normal server does not see its answer cut off. Only the status matters. */
async function drain (response: IncomingMessage): Promise<void> {
  let bytes = 0
  await new Promise<void>((resolve) => {
    response
      .on('data', (chunk: Buffer) => {
        bytes += Math.max(pieceBytes, chunk.length)
        if (bytes > maxAnswerBytes) response.destroy()
      })
      .on('error', () => response.destroy())
      .once('close', resolve)
  })
}

function errorOfStatus (statusCode: number): AttemptError | null {
  if (statusCode >= 200 && statusCode < 300) return null
  return statusCode >= 300 && statusCode < 400 ? 'redirect' : 'http_status'
}

/** Node reports certificate errors by OpenSSL's names, and other TLS errors by its own. */
const tlsCode =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|EPROTO$)/

function errorOf (error: unknown): AttemptError {
  if (error instanceof NetworkRefusal) return 'refused_by_policy'
  const code = String((error as NodeJS.ErrnoException).code)
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return 'name_not_resolved'
  if (code.startsWith('HPE_')) return 'invalid_response'
  return tlsCode.test(code) ? 'tls_error' : 'connection_failed'
}

/** Seconds or a date, as in RFC 9110; 0 for anything else. */
function retryAfter (header: string | undefined): number {
  if (header === undefined) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : 0
}
