import type { ModelFile } from '../../domain/files.ts'
import type { TaskFailure } from '../../domain/task-failure.ts'

/**
 * In the SHARDS stream, subject `shards.<jobId>`, message id `<jobId>:<run>:<shard>:<attempt>`: a shard of a large
 * forecast that any worker may compute. It carries keys and figures, never rows.
 */
export interface ShardMessage {
  v: number
  jobId: string
  tenant: string
  /** The run that coordinates the shards. */
  run: string
  /** The prefix of the plan's objects, and the hash of the plan. */
  plan: { prefix: string, sha256: string }
  shard: number
  /** How often this run has published the shard. */
  attempt: number
  /** The release that made the plan. Another one cannot read it. */
  release: string
  /** The model that makes the forecast. */
  model?: ModelFile
  maxCsvBytes: number
  /** The end of the run's time budget on the wall clock. */
  deadlineMs: number
  /** The time that the shard should keep to, milliseconds. */
  budgetMs: number
  requestId?: string
  traceparent?: string
}

/**
 * Core message `shard-news.<jobId>.<shard>`: what happens to a shard, from whoever computes it to the run and to
 * whoever else computes that shard. Each shard has a subject of its own, because a thousand workers that hear of all
 * shards have no time for anything else. It may be lost: the store has every part that is done, and the stream every
 * shard that is not.
 */
export interface ShardNews {
  v: number
  jobId: string
  /** The prefix of the plan's objects. */
  plan: string
  shard: number
  /** Whoever computes it. */
  maker: string
  /** `returned`: its worker gave it back. */
  state: 'taken' | 'progress' | 'done' | 'failed' | 'returned'
  /** With `progress`: from 0 to 1. */
  fraction?: number
  /** With `failed`: what the slot reported; absent if the slot died. */
  failure?: TaskFailure
}

/** Core message `shards-over.<jobId>`: nobody needs further parts of this plan. */
export interface ShardsOver {
  v: number
  jobId: string
  plan: string
}
