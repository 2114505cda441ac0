import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobWarning, SourceRead } from '../../domain/job-result.ts'
import { messageVersion } from '../../domain/message-version.ts'
import { defined } from '../../platform/defined.ts'
import { release } from '../../platform/process/release.ts'
import type { JobMessage } from '../../platform/queue/job-messages.ts'
import { shardsPrefix } from '../../platform/store/keys.ts'
import { StoreError } from '../../platform/store/store-error.ts'
import type { News } from '../news.ts'
import type { RunContext } from '../run-context.ts'
import type { ForecastTask, Part } from '../slot-messages.ts'
import type { SlotEnd } from '../slot-process.ts'
import { Coordinator } from './coordinator.ts'
import type { PlanContext } from './plan-records.ts'
import { PlanStore } from './plan-store.ts'
import type { RunInSlot } from './run-in-slot.ts'
import { ShardList } from './shard-list.ts'
import { ShardOffers } from './shard-offers.ts'
import { plannedRuns, removePlan } from './stored-plans.ts'

/** The share of the remaining time that all shards together should keep to; the rest is for the end. */
const shareOfShards = 0.85
/** A shard may take longer than those before it, or than it is made for. */
const caution = 2
/** How much of the progress is left for the end, when all shards are done. */
const endShare = 0.05
/** As long as no other worker has had time to take a shard, all slots are taken to be free. */
const firstMs = 3_000

/** An earlier run's plan, from which this run goes on. */
export interface EarlierPlan {
  prefix: string
  context: PlanContext
}

export interface ShardedForecastOptions {
  context: RunContext
  job: JobMessage
  run: string
  /** The run's scratch folder. */
  folder: string
  news: News
  /** The shards that all workers can compute at a time. */
  shardSlots: number
  runInSlot: RunInSlot
  /** The end of the time budget on the clock of performance.now. */
  budgetEndMs: number
  signal: AbortSignal
}

/** What the input came from, for a run that goes on from this plan. */
interface Read {
  source?: SourceRead | undefined
  warnings?: JobWarning[] | undefined
}

type Ended = SlotEnd<'forecast'> | 'timeout' | 'unusable'

/**
 * The earlier plan of this job from which a run can go on; undefined if there is none. An unreadable store counts as
 * none, because the run can do without.
 */
export async function earlierPlan (
  { context: { store, log }, job: { outputPrefix }, signal }: Pick<ShardedForecastOptions, 'context' | 'job' | 'signal'>
): Promise<EarlierPlan | undefined> {
  try {
    for (const run of await plannedRuns(store, outputPrefix)) {
      const prefix = shardsPrefix(outputPrefix, run)
      const plan = new PlanStore({ store, prefix, folder: '', signal, deadlineMs: 0, log })
      const context = await plan.context()
      if (context.release === release) return { prefix, context }
      log.info({ version: context.release }, 'plan of another release not used')
    }
  } catch (err) {
    signal.throwIfAborted()
    log.warn({ err }, 'no earlier plan readable')
  }
  return undefined
}

/** A forecast in shards: plan, shards, join. The run that holds the job's message coordinates it. */
export class ShardedForecast {
  readonly #options: ShardedForecastOptions
  readonly #planFolder: string
  #plannedFraction = 0
  /** When the first shard could be computed. */
  #shardsMs = performance.now()

  constructor (options: ShardedForecastOptions) {
    this.#options = options
    this.#planFolder = join(options.folder, 'shards')
  }

  /** The series are planned, or forecast if they are a single shard. `read` is kept for later runs. */
  async compute (task: ForecastTask, read: Read): Promise<Ended> {
    const { runInSlot, job: { outputPrefix }, run, news } = this.#options
    await mkdir(this.#planFolder, { mode: 0o700 })
    const end = await runInSlot({ ...task, kind: 'plan', planFolder: this.#planFolder }, {
      onProgress: (stage, fraction) => {
        this.#plannedFraction = fraction
        news.progress(stage, fraction)
      }
    })
    if (end === 'timeout' || end.type !== 'done') return end
    if ('result' in end.result) return { ...end, result: end.result.result }
    const { shards, known, sha256 } = end.result
    const context: PlanContext = {
      ...{ v: messageVersion, release, sha256, shards, known },
      ...defined({ source: read.source, warnings: read.warnings })
    }
    const plan = this.#planStore(shardsPrefix(outputPrefix, run))
    try {
      await plan.put(context)
    } catch (error) {
      return this.#withheld(error, 'take the plan')
    }
    return await this.#shards(task, plan, context, new Set())
  }

  /** Goes on from the parts that earlier runs have left. `unusable`: the plan cannot be read. */
  async resume (task: ForecastTask, { prefix, context }: EarlierPlan): Promise<Ended> {
    const { context: { log, store }, signal } = this.#options
    const plan = this.#planStore(prefix)
    try {
      await plan.fetch(true)
      const done = await plan.partsDone()
      log.info({ count: done.size }, 'going on from an earlier plan')
      const end = await this.#shards(task, plan, context, done)
      // A damaged plan and a computation that fails look alike; a new plan tells them apart.
      if (end === 'timeout' || end.type !== 'failed' || end.failure.code !== 'pipeline_failed') return end
      log.warn({ code: end.failure.code }, 'earlier plan not usable, planned anew')
    } catch (err) {
      signal.throwIfAborted()
      if (!(err instanceof StoreError)) throw err
      log.warn({ err }, 'earlier plan not readable, planned anew')
    }
    await removePlan(store, prefix).catch((err: unknown) => log.warn({ err }, 'unusable plan not deleted'))
    return 'unusable'
  }

  async #shards (task: ForecastTask, plan: PlanStore, context: PlanContext,
    done: ReadonlySet<number>): Promise<SlotEnd<'forecast'> | 'timeout'> {
    const shards = new ShardList(context.shards, done)
    this.#shardsMs = performance.now()
    const offers = await this.#offers(plan, context, shards)
    this.#options.context.log.info({ shards: shards.total, count: shards.open }, 'forecast in shards')
    const coordinator = this.#coordinator(task, plan, context, shards, offers)
    let parts = await coordinator.parts().catch((error: unknown) => this.#withheld(error, 'give the parts'))
    const seconds = (performance.now() - this.#shardsMs) / 1000
    const spoilt = new Set<number>()
    while (Array.isArray(parts)) {
      const end = await this.#join(task, plan, context, parts, seconds)
      if (end === 'timeout' || end.type !== 'done') return end
      if ('result' in end.result) return { ...end, result: end.result.result }
      const { bad } = end.result
      if (bad.some((shard) => spoilt.has(shard))) {
        return failed('storage_error', 'Parts of the forecast are damaged as soon as they are written.')
      }
      for (const shard of bad) spoilt.add(shard)
      await coordinator.spoilt(bad)
      parts = await coordinator.parts()
    }
    return parts
  }

  async #join (task: ForecastTask, plan: PlanStore, { known }: PlanContext, parts: Part[], partsSeconds: number) {
    const { planPath, explainedPath } = plan
    const { news } = this.#options
    const shards = { done: parts.length, total: parts.length }
    return await this.#options.runInSlot({
      ...{ ...task, kind: 'join', planPath, explainedPath, known, parts, partsSeconds },
      budgetSeconds: Math.max(0, this.#options.budgetEndMs - performance.now()) / 1000
    }, {
      onProgress: (stage, fraction) => news.progress(stage, 1 - endShare + endShare * fraction, shards)
    })
  }

  #coordinator (task: ForecastTask, plan: PlanStore, { sha256 }: PlanContext, shards: ShardList,
    offers: ShardOffers | undefined): Coordinator {
    const { news, signal, runInSlot, budgetEndMs, context: { log } } = this.#options
    return new Coordinator({
      ...{ plan, sha256, shards, offers, runInSlot, budgetEndMs, signal, log },
      model: task.model,
      maxCsvBytes: task.limits.maxCsvBytes,
      threads: task.threads,
      folder: join(this.#planFolder, 'parts'),
      budgetSeconds: () => this.#budgetSeconds(shards),
      onProgress: () => {
        const fraction = this.#plannedFraction + (1 - endShare - this.#plannedFraction) * shards.fraction
        news.progress('fit', fraction, { done: shards.done, total: shards.total })
      }
    })
  }

  /** Undefined if no other worker should compute shards. */
  async #offers (plan: PlanStore, { sha256 }: PlanContext, shards: ShardList): Promise<ShardOffers | undefined> {
    const { context: { queue, log }, job, run, shardSlots, budgetEndMs } = this.#options
    if (shardSlots < 2) return undefined
    if (!await plan.isExclusive().catch(() => true)) {
      log.error({},
        'TABCAST_SHARDS: the object store ignores If-None-Match, so no other worker computes shards of this job')
      return undefined
    }
    return new ShardOffers({
      ...{ queue, job, run, shards, budgetEndMs, log },
      plan: { prefix: plan.prefix, sha256 },
      budgetSeconds: () => this.#budgetSeconds(shards)
    })
  }

  /**
   * The time for one shard: all that is left but what the others need, and never less than its share. A share alone
   * would hurry a shard whose slot is held up for a moment, while there is time enough.
   */
  #budgetSeconds (shards: ShardList): number {
    const { budgetEndMs, shardSlots, context: { config } } = this.#options
    const nowMs = performance.now()
    const atOnce = nowMs - this.#shardsMs < firstMs ? Math.max(shardSlots, shards.working) : shards.working
    const rounds = Math.max(1, shards.open / atOnce)
    const leftMs = Math.max(0, budgetEndMs - nowMs) * shareOfShards
    const eachMs = shards.ownMs ?? 1000 * config.SHARD_SECONDS / config.SLOT_THREADS
    return Math.max(leftMs / rounds, leftMs - caution * eachMs * (rounds - 1)) / 1000
  }

  #planStore (prefix: string): PlanStore {
    const { context: { store, log }, signal, budgetEndMs: deadlineMs } = this.#options
    return new PlanStore({ store, prefix, folder: this.#planFolder, signal, deadlineMs, log })
  }

  #withheld (error: unknown, what: string): Extract<SlotEnd<'forecast'>, { type: 'failed' }> {
    const { signal, context: { log } } = this.#options
    signal.throwIfAborted()
    if (!(error instanceof StoreError)) throw error
    log.error({ err: error }, `the object store did not ${what} of a forecast in shards`)
    return failed('storage_error', `The object store did not ${what} of the job.`)
  }
}

function failed (code: 'storage_error', message: string): Extract<SlotEnd<'forecast'>, { type: 'failed' }> {
  return { type: 'failed', cpuMs: 0, failure: { code, message, content: null } }
}
