import type { IncomingMessage } from 'node:http'
import { TabcastError } from '../platform/errors.ts'

/**
 * A host name or address with an optional port. Stricter than RFC 3986, which allows percent signs and punctuation that
 * no real name has: a host is repeated in `Location`, where such characters may have a meaning.
 */
const syntax = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(?::\d{1,5})?$/i

export function isHost (text: string): boolean {
  return text.length <= 300 && syntax.test(text)
}

/**
 * The refusal of a request whose Host is missing, invalid or duplicated, as RFC 9112 requires. HTTP/1.0 may omit it.
 */
export function refuseHost ({ headers, rawHeaders, httpVersion }: IncomingMessage): TabcastError | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? invalid('The Host header is missing.') : undefined
  if (!isHost(headers.host)) return invalid('The Host header is not a valid host.')
  // Node keeps the first one silently.
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1 ? invalid('There is more than one Host header.') : undefined
}

function invalid (detail: string): TabcastError {
  return new TabcastError('validation_error', detail, { status: 400 })
}
