import { openSync, readSync } from 'node:fs'

export interface ThreadTime {
  computedMs: number
  queuedMs: number
}

/** Opened once, because a process that has run out of file descriptors still has to be watched. */
const file = opened(`/proc/self/task/${process.pid}/schedstat`)
const text = Buffer.alloc(128)

/**
 * How long the main thread has computed so far, and waited for a core, as the Linux scheduler counts it; null if the
 * system does not say.
 */
export function mainThreadTime (): ThreadTime | null {
  if (file === null) return null
  let length: number
  try {
    length = readSync(file, text, 0, text.length, 0)
  } catch {
    // Without this figure a pause counts as computed. That is no reason to end the process.
    return null
  }
  const [computed, queued] = text.toString('latin1', 0, length).split(' ')
  return { computedMs: Number(computed) / 1e6, queuedMs: Number(queued) / 1e6 }
}

function opened (path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}
