import type { RunContext } from './run-context.ts'
import { SlotPool, type SlotPoolOptions } from './slot-pool.ts'

/**
 * A pool of this shape, with the limits that the operator has set. `tasksPerJob`: so many of its tasks wear a process
 * as one job does.
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
