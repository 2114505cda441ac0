import type { IncomingMessage } from 'node:http'
import { monotonicFactory } from 'ulid'

// The factory draws randomness once a millisecond; ulid() draws each character and costs 60 times as much.
const nextUlid = monotonicFactory()

const accepted = /^[A-Za-z0-9._-]{1,64}$/

/**
 * The caller's X-Request-ID when it is harmless to log and echo, else a new one. Node takes header values of 8 KB and of
 * any Latin-1 character, so that nothing may be reflected unread.
 */
export function requestId (request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && accepted.test(given) ? given : `req_${nextUlid()}`
}
