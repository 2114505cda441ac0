import { BodyTooLarge, ExchangeTimeout, type Answer } from '../../../platform/network/exchange.ts'
import { NetworkRefusal } from '../../../platform/network/network-refusal.ts'
import { ProviderError, type ProviderCode } from '../provider-error.ts'
import { InvalidAnswer } from './invalid-answer.ts'

const byStatus: Readonly<Record<number, ProviderCode>> = {
  401: 'AUTHENTICATION_FAILED',
  403: 'AUTHENTICATION_FAILED',
  404: 'NOT_FOUND',
  408: 'TIMEOUT',
  429: 'RATE_LIMITED',
  504: 'TIMEOUT'
}

/** Certificate errors have OpenSSL's names, the others Node's. */
const tlsCode =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|EPROTO$)/

/** Node's codes, in words without addresses. */
const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'its name is not known here',
  EAI_AGAIN: 'names cannot be looked up here',
  ETIMEDOUT: 'nothing answers at its address',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its address'
}

/** The error for an answer without success. */
export function refusalOf (id: string, { status, retryAfter, body }: Answer): ProviderError {
  const code = byStatus[status] ??
    (status < 400 ? 'REDIRECTED' : status < 500 ? 'REQUEST_REFUSED' : 'PROVIDER_UNAVAILABLE')
  return new ProviderError(id, code, {
    detail: `status ${status}`,
    retryAfterMs: delayOf(retryAfter),
    answer: { status, body }
  })
}

/** The error for a request that failed without such a status. */
export function failureOf (id: string, thrown: unknown): ProviderError {
  if (thrown instanceof InvalidAnswer) {
    return new ProviderError(id, 'INVALID_ANSWER', { detail: thrown.message, cause: thrown })
  }
  if (thrown instanceof BodyTooLarge) return new ProviderError(id, 'ANSWER_TOO_LARGE')
  if (thrown instanceof ExchangeTimeout) return new ProviderError(id, 'TIMEOUT')
  if (thrown instanceof NetworkRefusal) return new ProviderError(id, 'ADDRESS_NOT_ALLOWED')
  const code = String((thrown as NodeJS.ErrnoException).code)
  if (code.startsWith('HPE_') || code.startsWith('Z_')) {
    return new ProviderError(id, 'INVALID_ANSWER', { cause: thrown })
  }
  if (tlsCode.test(code)) return new ProviderError(id, 'TLS_ERROR', { cause: thrown })
  return new ProviderError(id, 'NETWORK_ERROR', { detail: networkReasons[code], cause: thrown })
}

/** Seconds or a date, as in RFC 9110; anything else is ignored. */
function delayOf (header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
