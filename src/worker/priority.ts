import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * How far slot processes stand back for others when the cores are busy, as steps of the nice value; five steps are a
 * third of the time. All of them stand back for the api, the worker and the queue, which have to answer at once: what
 * one tenant has computed while it waits must not hold up the reads of another. Jobs stand back for what a client waits
 * for, and long jobs also for small ones.
 */
export const niceness = { quick: 5, small: 10, any: 15 } as const

/**
 * Lowers the priority of this whole process. Linux has a priority for each thread, which its later threads inherit, and
 * Node has started the threads that will compute before the first line of ours runs: so it is set for each of them.
 */
export function giveWay (steps: number): void {
  // Counted from where the service itself was started: only a privileged process may go below that.
  const nice = Math.min(19, getPriority() + steps)
  setPriority(nice)
  if (!existsSync('/proc/self/task')) return
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), nice)
}

/** When the machine is out of memory, its kernel is to end slots before any process that answers. */
export function goFirst (): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has it, and a sandbox may keep it from being written: the bounds of the slots hold all the same.
  }
}
