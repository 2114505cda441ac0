import type { Logger } from 'pino'
import { repeat } from './repeat.ts'

/** More is a jump; less is what clocks drift apart between two sweeps. */
const jumpMs = 60_000
/** For whoever sets a clock right that has jumped ahead. */
const heldMs = 3_600_000

/** The time that people set, and one that nobody does. Milliseconds. */
interface Clocks {
  wallMs: () => number
  steadyMs: () => number
}

const ownClocks: Clocks = { wallMs: () => Date.now(), steadyMs: () => performance.now() }

/**
 * `repeat` for work that deletes what is too old. By a clock that jumps ahead everything is: so then nothing is deleted
 * until the clock is back or an hour has passed, and the log says so.
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
