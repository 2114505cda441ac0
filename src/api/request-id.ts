import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { monotonicFactory } from 'ulid'

// Random bytes are drawn in bulk. By default the factory asks the system 16 times in each millisecond with requests,
// which slows small reads measurably.
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
 * The caller's X-Request-ID when it is safe to log and echo, otherwise a new one. Node accepts header values of 8 KB
 * with any Latin-1 character, so nothing may be echoed unchecked.
 */
export function requestId (request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && accepted.test(given) ? given : `req_${nextUlid()}`
}
