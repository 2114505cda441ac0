import { startGuard } from './guard.ts'
import { defined } from '../defined.ts'

/** How many heartbeats are sent per lease, and how many leases may pass without one. */
export const beatsPerLease = 3
export const missedLeases = 3

/** Sent over IPC by a watched process. */
export interface Heartbeat {
  heartbeat: true
}

export function isHeartbeat (message: unknown): message is Heartbeat {
  return typeof message === 'object' && message !== null && 'heartbeat' in message
}

/**
 * Sends heartbeats that show that the main thread gets through its work: to the parent, if it listens, and to a thread
 * that ends the process if nobody else does. They come from a timer of the main thread, so they stop if the event loop
 * is blocked. `parentPid`: the process ends when its parent is no longer this one.
 */
export function startHeartbeat (leaseMs: number, parentPid?: number): void {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  let isSending = false
  const beat = (): void => {
    Atomics.add(beats, 0, 1)
    // If the parent does not read, messages would pile up.
    if (isSending || !process.connected) return
    isSending = true
    process.send?.({ heartbeat: true } satisfies Heartbeat, () => {
      isSending = false
    })
  }
  beat()
  setInterval(beat, leaseMs / beatsPerLease).unref()
  // This thread waits longer than a supervisor, which gets the first chance to end the process.
  startGuard({
    ...defined({ parentPid }),
    beats,
    tickMs: leaseMs / beatsPerLease,
    ticks: (missedLeases + 1) * beatsPerLease
  })
}
