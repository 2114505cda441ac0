import { startGuard } from './guard.ts'
import { defined } from '../../domain/defined.ts'

/** Heartbeats a lease, and how many of them may be missing in a row. */
export const beatsPerLease = 3
export const missedLeases = 3

/** Sent over IPC by a process that is watched. */
export interface Heartbeat {
  heartbeat: true
}

export function isHeartbeat (message: unknown): message is Heartbeat {
  return typeof message === 'object' && message !== null && 'heartbeat' in message
}

/**
 * Says now and then that the main thread of this process gets through its work: to the parent, where one listens, and
 * to a thread that ends the process when nobody else does. A timer of the main thread, because an event loop that is
 * blocked has to be missed. `parentPid`: the process ends when another one has become its parent.
 */
export function startHeartbeat (leaseMs: number, parentPid?: number): void {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  let isSending = false
  const beat = (): void => {
    Atomics.add(beats, 0, 1)
    // A parent that does not read would let the messages pile up.
    if (isSending || !process.connected) return
    isSending = true
    process.send?.({ heartbeat: true } satisfies Heartbeat, () => {
      isSending = false
    })
  }
  beat()
  setInterval(beat, leaseMs / beatsPerLease).unref()
  // Longer than a supervisor waits, who says goodbye first.
  startGuard({
    ...defined({ parentPid }),
    beats,
    tickMs: leaseMs / beatsPerLease,
    ticks: (missedLeases + 1) * beatsPerLease
  })
}
