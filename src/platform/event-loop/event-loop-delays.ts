/** Upper bounds of the histogram's buckets, in seconds; one more bucket counts what is above the last. */
export const delayBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10, 60] as const

/**
 * Why the event loop stood still: the code computed, it waited for the kernel (a disk, another process), or the machine
 * gave the thread no core.
 */
export const pauseCauses = ['computing', 'blocked', 'no_core'] as const
export type PauseCause = typeof pauseCauses[number]

/** The delays of one process since it was ready. */
export interface EventLoopDelays {
  /** How many timers were late by up to each bound, and by more than the last. */
  counts: number[]
  sumSeconds: number
  pauses: Record<PauseCause, number>
}
