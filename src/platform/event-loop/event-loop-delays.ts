/** Upper bounds of the histogram's buckets, seconds; above the last is one more. */
export const delayBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10, 60] as const

/**
 * Why nothing else had its turn: the code computed, it waited for the kernel (a disk, another process), or the machine
 * gave the thread no core.
 */
export const pauseCauses = ['computing', 'blocked', 'no_core'] as const
export type PauseCause = typeof pauseCauses[number]

/** Of one process since it was ready. */
export interface EventLoopDelays {
  /** How often a timer was late by up to each bound, and by more than the last. */
  counts: number[]
  sumSeconds: number
  pauses: Record<PauseCause, number>
}
