import type { RunContext } from './run-context.ts'
import { SlotPool, type SlotPoolOptions } from './slot-pool.ts'

/** A pool of this shape, with the limits that the operator has set. */
export function openSlotPool ({ config, log }: RunContext, shape: Pick<SlotPoolOptions, 'slots' | 'smallOnly' | 'nice'>): SlotPool {
  return new SlotPool({
    ...shape,
    memoryBytes: config.SLOT_MEMORY_BYTES,
    maxTasks: config.SLOT_MAX_JOBS,
    maxAgeMs: config.SLOT_MAX_AGE_MS,
    log
  })
}
