import type { Logger } from 'pino'
import { repeat } from './repeat.ts'

/** A larger difference is a jump; smaller ones are clock drift between two sweeps. */
const jumpMs = 60_000
/** Time for somebody to correct a clock that has jumped ahead. */
const heldMs = 3_600_000

/** The wall clock, which people set, and the monotonic clock, which nobody sets. Milliseconds. */
interface Clocks {
  wallMs: () => number
  steadyMs: () => number
}

const ownClocks: Clocks = { wallMs: () => Date.now(), steadyMs: () => performance.now() }

/**
 * `repeat` for work that deletes old things. By a clock that jumps ahead, everything is too old. So after a jump
 * nothing is deleted until the clock is back or an hour has passed, and the log says so.
 */
export function repeatSweep (
  name: string,
  intervalMs: number,
  log: Logger,
  sweep: () => Promise<void>,
  clocks: Clocks = ownClocks
): { stop: () => Promise<void> } {
  const offsetMs = (): number => clocks.wallMs() - clocks.steadyMs()
  let trustedMs = offsetMs()
  let heldSinceMs: number | undefined
  const isHeld = (): boolean => {
    const aheadMs = offsetMs() - trustedMs
    const nowMs = clocks.steadyMs()
    if (aheadMs > jumpMs) {
      if (heldSinceMs === undefined) {
        heldSinceMs = nowMs
        const aheadSeconds = Math.round(aheadMs / 1000)
        log.warn({ task: name, aheadSeconds },
          'the clock has jumped ahead: nothing is deleted before it is back, or an hour has passed')
      }
      if (nowMs - heldSinceMs < heldMs) return true
    }
    trustedMs += aheadMs
    heldSinceMs = undefined
    return false
  }
  return repeat(name, intervalMs, log, async () => {
    if (!isHeld()) await sweep()
  })
}
