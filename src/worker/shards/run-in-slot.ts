import type { GatherTask, RunTask, StageTask } from '../slot-messages.ts'
import type { ProgressListener, SlotEnd } from '../slot-process.ts'

export interface SlotWatch {
  onProgress?: ProgressListener
  /** Asks the task to stop when it aborts; the task then ends as `cancelled`, or with its result. */
  enough?: AbortSignal
}

/**
 * Computes a task in the slot of a run. `timeout`: the time budget is over, and the slot was killed. Rejects with the
 * reason when the run stops.
 */
export type RunInSlot = <T extends RunTask | StageTask | GatherTask>(task: T,
  watch?: SlotWatch) => Promise<SlotEnd<T['kind']> | 'timeout'>

/** How a stage ended that did not end well. */
export type StageFailure = Extract<SlotEnd<'shard'>, { type: 'failed' | 'died' }> | 'timeout'
