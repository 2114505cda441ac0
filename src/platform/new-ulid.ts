import { randomFillSync } from 'node:crypto'
import { monotonicFactory, ulid } from 'ulid'

// Random bytes are drawn in bulk. By default the library asks the system 16 times for each id, which slows small
// requests and jobs measurably.
const pool = Buffer.alloc(4096)
let used = pool.length
function randomShare (): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return pool.readUInt8(used++) / 256
}

/** No id reveals the next one. */
export function newUlid (): string {
  return ulid(undefined, randomShare)
}

/** A source of ids that sort by the order in which they were made. `atMs`: when; by default now. */
export function orderedUlids (): (atMs?: number) => string {
  return monotonicFactory(randomShare)
}
