import { setTimeout as sleep } from 'node:timers/promises'
import type { ShardHandle } from '../../platform/queue/index.ts'
import { isDiskShort } from '../result-space.ts'
import type { JobIntakeLoop } from '../job-intake-loop.ts'
import type { RunContext } from '../run-context.ts'
import type { SlotPool } from '../slot-pool.ts'
import { mayShare } from './may-share.ts'
import { PlanCopies } from './plan-copies.ts'
import { ShardRun, type FetchedPlan } from './shard-run.ts'
import { shardSlots } from './shard-slots.ts'

const pullMs = 5_000
const retryMs = 2_000
const pauseMs = 50
/** A copy of a plan that no shard has used for this long goes. */
const idleMs = 60_000

/**
 * Computes shards of other runs' forecasts while slots for large jobs are idle and no large job waits for one. A slot
 * for small jobs is never used.
 */
export class ShardIntakeLoop {
  readonly #context: RunContext
  readonly #pool: SlotPool
  readonly #jobs: Pick<JobIntakeLoop, 'noneWaits'>
  readonly #copies: PlanCopies<FetchedPlan>
  readonly #runs = new Map<ShardRun, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #loop: Promise<void>
  #isOn: boolean
  #idleSinceMs = performance.now()
  #wake: () => void = () => undefined

  constructor (context: RunContext, pool: SlotPool, jobs: Pick<JobIntakeLoop, 'noneWaits'>) {
    this.#context = context
    this.#pool = pool
    this.#jobs = jobs
    this.#copies = new PlanCopies(context.scratch)
    this.#isOn = context.config.SHARDS
    this.#loop = this.#isOn ? this.#start() : Promise.resolve()
  }

  /** False if this worker computes no shards. */
  get isOn (): boolean {
    return this.#isOn
  }

  /** The jobs of which shards are computed. */
  helping (): string[] {
    return [...new Set([...this.#runs.keys()].map(({ jobId }) => jobId))]
  }

  /** Call it when a slot may have become free. */
  wake (): void {
    this.#wake()
  }

  /** Gives all shards back. */
  async stop (): Promise<void> {
    this.#stopping.abort()
    this.wake()
    for (const run of this.#runs.keys()) run.stop('given_back')
    await Promise.all(this.#runs.values())
  }

  /** Resolves when no pull is open any more; pulls end with the connection. */
  async ended (): Promise<void> {
    await this.#loop
  }

  async #start (): Promise<void> {
    const { signal } = this.#stopping
    try {
      this.#isOn = await mayShare(this.#context, signal)
    } catch (err) {
      if (signal.aborted) return
      this.#isOn = false
      this.#context.log.error({ err }, 'TABCAST_SHARDS: the object store could not be tried')
    }
    if (this.#isOn) await this.#pull()
  }

  async #pull (): Promise<void> {
    const { queue, config, log } = this.#context
    const { signal } = this.#stopping
    const pause = async (ms = pauseMs): Promise<void> => await sleep(ms, undefined, { signal }).catch(() => undefined)
    while (!signal.aborted) {
      try {
        await this.#dropIdleCopies()
        if (!this.#hasRoom()) await this.#change()
        // Jobs go first.
        else if (isDiskShort(config) || !this.#jobs.noneWaits('large')) await pause()
        else {
          const handle = await queue.nextShard(pullMs)
          if (handle !== undefined) this.#accept(handle)
        }
      } catch (err) {
        if (!signal.aborted) log.debug({ err }, 'no shards readable yet')
        // An api of an earlier release makes no stream for them.
        await pause(retryMs)
      }
    }
  }

  #accept (handle: ShardHandle): void {
    const slot = this.#stopping.signal.aborted || !this.#hasRoom() ? undefined : this.#pool.take('large')
    if (slot === undefined) return handle.nak()
    const run = new ShardRun(this.#context, this.#pool, handle, slot, this.#copies)
    const end = run.finish().finally(() => {
      this.#runs.delete(run)
      this.#idleSinceMs = performance.now()
    })
    this.#runs.set(run, end)
  }

  /** A slot for large jobs, and cores for its threads. */
  #hasRoom (): boolean {
    return this.#pool.hasFree('large') && this.#pool.busy < shardSlots(this.#context.config)
  }

  async #change (): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  async #dropIdleCopies (): Promise<void> {
    if (this.#runs.size === 0 && performance.now() - this.#idleSinceMs > idleMs) await this.#copies.dropUnused()
  }
}
