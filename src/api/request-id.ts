import type { IncomingMessage } from 'node:http'
import { orderedUlids } from '../platform/new-ulid.ts'

const nextUlid = orderedUlids()

const accepted = /^[A-Za-z0-9._-]{1,64}$/

/**
 * The caller's X-Request-ID when it is safe to log and echo, otherwise a new one. Node accepts header values of 8 KB
 * with any Latin-1 character, so nothing may be echoed unchecked.
 */
export function requestId (request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && accepted.test(given) ? given : `req_${nextUlid()}`
}
