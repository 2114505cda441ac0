import type { ChildProcess } from 'node:child_process'
import { beatsPerLease, isHeartbeat, missedLeases } from './heartbeat.ts'

/** Time for the first heartbeat: reading the program takes seconds on a machine that is busy. */
const startMs = 60_000

/**
 * Calls `onSilent` once when the child has not been heard for three leases, or has not been heard at all for a minute.
 * Silence is counted in ticks of this process: after a sleep of the machine, or of this process alone, the child gets
 * its whole time.
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
