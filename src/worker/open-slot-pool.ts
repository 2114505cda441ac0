import type { RunContext } from './run-context.ts'
import { SlotPool, type SlotPoolOptions } from './slot-pool.ts'

/**
 * Opens a pool of this shape, with the operator's limits. `tasksPerJob`: how many of its tasks wear a process out as
 * much as one job does.
 */
export function openSlotPool ({ config, memory, log }: RunContext,
  shape: Pick<SlotPoolOptions, 'slots' | 'smallOnly' | 'nice'>, tasksPerJob = 1): SlotPool {
  return new SlotPool({
    ...shape,
    memory,
    maxTasks: config.SLOT_MAX_JOBS * tasksPerJob,
    maxAgeMs: config.SLOT_MAX_AGE_MS,
    log
  })
}
