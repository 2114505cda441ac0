import { openSync, readSync } from 'node:fs'

export interface ThreadTime {
  computedMs: number
  queuedMs: number
}

/** Opened once: a process that has no file descriptor left still has to be watched. */
const file = opened(`/proc/self/task/${process.pid}/schedstat`)
const text = Buffer.alloc(128)

/**
 * What the main thread has computed so far, and waited for a core, as the Linux scheduler counts it; null where nobody
 * says.
 */
export function mainThreadTime (): ThreadTime | null {
  if (file === null) return null
  let length: number
  try {
    length = readSync(file, text, 0, text.length, 0)
  } catch {
    // Without this figure a pause counts as computed; the process must not end for it.
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
