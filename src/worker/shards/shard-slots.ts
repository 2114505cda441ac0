import { availableParallelism } from 'node:os'
import type { Config } from '../../platform/config.ts'

/**
 * How many slots of a worker may compute large jobs and shards before a further shard finds no core. With threads for
 * all cores in one slot, a second shard on the same machine would only make the first one slower.
 */
export function shardSlots ({ SHARDS, SLOTS, SLOT_THREADS, WORKERS }: Config, cores = availableParallelism()): number {
  if (!SHARDS) return 0
  const large = Math.max(1, SLOTS - 1)
  return Math.max(1, Math.min(large, Math.floor(cores / Math.max(1, WORKERS) / SLOT_THREADS)))
}
