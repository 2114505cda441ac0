import type { ChildProcess } from 'node:child_process'
import { beatsPerLease, isHeartbeat, missedLeases } from './heartbeat.ts'

/** Time for the first heartbeat: on a busy machine, loading the program takes seconds. */
const startMs = 60_000

/**
 * Calls `onSilent` once, when the child was silent for three leases, or for its whole first minute. Silence is counted
 * in ticks of this process, so that the child gets its full time even if the machine, or this process alone, was
 * suspended.
 */
export function watchHeartbeats (child: ChildProcess, leaseMs: number, onSilent: () => void): void {
  const tickMs = leaseMs / beatsPerLease
  const allowed = missedLeases * beatsPerLease
  let left = Math.max(allowed, Math.ceil(startMs / tickMs))
  const onMessage = (message: unknown): void => {
    if (isHeartbeat(message)) left = allowed
  }
  const timer = setInterval(() => {
    if (left-- > 0) return
    end()
    onSilent()
  }, tickMs)
  const end = (): void => {
    clearInterval(timer)
    child.off('message', onMessage)
  }
  child.on('message', onMessage)
  child.once('exit', end).on('error', () => {
    if (child.pid === undefined) end()
  })
}
