import { readFileSync } from 'node:fs'

export interface ThreadTime { computedMs: number, queuedMs: number }

/** What the main thread has computed so far, and waited for a core, as the Linux scheduler counts it; null on other systems. */
export function mainThreadTime (): ThreadTime | null {
  try {
    const [computed, queued] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
    return { computedMs: Number(computed) / 1e6, queuedMs: Number(queued) / 1e6 }
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
