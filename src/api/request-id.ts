import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { monotonicFactory } from 'ulid'

// Randomness is drawn in bulk: left to itself the factory asks the system 16 times a millisecond, which is seen in the
// rate of small reads.
const pool = Buffer.alloc(4096)
let used = pool.length
function randomShare (): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool.readUInt8(used++) / 256
}
const nextUlid = monotonicFactory(randomShare)

const accepted = /^[A-Za-z0-9._-]{1,64}$/

/**
 * The caller's X-Request-ID when it is harmless to log and echo, else a new one. Node takes header values of 8 KB and
 * of any Latin-1 character, so that nothing may be reflected unread.
 */
export function requestId (request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && accepted.test(given) ? given : `req_${nextUlid()}`
}
