import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Nice values of slot processes. A process that is five steps below another gets about a third of its time when the
 * cores are busy. All slots yield to the api, the worker and the queue, which have to answer at once: a computation for
 * one tenant must not slow the reads of another. Jobs yield to quick tasks, because a client waits for those, and long
 * jobs yield to small ones.
 */
export const niceness = { quick: 5, small: 10, any: 15 } as const

/**
 * Lowers the priority of this whole process. Linux has a priority per thread, which later threads inherit. Node starts
 * its computing threads before our first line runs, so each of them is set as well.
 */
export function giveWay (steps: number): void {
  // Counted from the service's own nice value, because only a privileged process may go below that.
  const nice = Math.min(19, getPriority() + steps)
  setPriority(nice)
  if (!existsSync('/proc/self/task')) return
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), nice)
}

/** Makes the kernel end this process before any process that answers, if the machine runs out of memory. */
export function goFirst (): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has this file, and a sandbox may forbid writing it. The memory limits of the slots hold nevertheless.
  }
}
