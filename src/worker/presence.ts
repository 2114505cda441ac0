import { messageVersion } from '../domain/message-version.ts'
import { release } from '../platform/process/release.ts'
import type { JobIntakeLoop } from './job-intake-loop.ts'
import { jobTypes } from './job-types.ts'
import type { RunContext } from './run-context.ts'
import type { ShardIntakeLoop } from './shards/shard-intake-loop.ts'
import { shardSlots } from './shards/shard-slots.ts'
import type { SlotPool } from './slot-pool.ts'
import type { Vitals } from './vitals.ts'

/**
 * Changes within this time share one announcement. Otherwise a slot that goes from job to job would cause two per job.
 */
const coalesceMs = 5
/** The least time between two announcements of changes: small jobs cause more of them than anybody needs to know. */
const pauseMs = 50

/** Tells the api which slots are free and which runs there are: regularly, and at once when that changes. */
export class Presence {
  readonly #context: RunContext
  readonly #pool: SlotPool
  readonly #jobs: JobIntakeLoop
  readonly #shards: ShardIntakeLoop
  readonly #vitals: Vitals
  readonly #regular: NodeJS.Timeout
  #soon: NodeJS.Timeout | undefined
  #draining = false
  #saidMs = -Infinity

  constructor (context: RunContext, pool: SlotPool, jobs: JobIntakeLoop, shards: ShardIntakeLoop, vitals: Vitals) {
    this.#shards = shards
    this.#context = context
    this.#pool = pool
    this.#jobs = jobs
    this.#vitals = vitals
    this.#regular = setInterval(() => this.#say(), context.config.HEARTBEAT_MS)
    this.#say()
  }

  changed (): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.#say()
    }, Math.max(coalesceMs, this.#saidMs + pauseMs - performance.now()))
  }

  drain (): void {
    this.#draining = true
    this.#say()
  }

  stop (): void {
    clearInterval(this.#regular)
    clearTimeout(this.#soon)
  }

  #say (): void {
    this.#saidMs = performance.now()
    const { queue, workerId, config } = this.#context
    const free = this.#draining ? { any: 0, small: 0 } : this.#pool.free()
    queue.announce({
      v: messageVersion,
      workerId,
      version: release,
      slots: config.SLOTS,
      freeAny: free.any,
      freeSmall: free.small,
      quick: this.#draining ? 0 : config.CHECK_SLOTS,
      capabilities: [...jobTypes],
      running: this.#jobs.running(),
      shardSlots: this.#shards.isOn ? shardSlots(config) : 0,
      helping: this.#shards.helping(),
      draining: this.#draining,
      vitals: this.#vitals.now()
    })
  }
}
