import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { messageVersion } from '../../domain/message-version.ts'
import type { TaskFailure } from '../../domain/task-failure.ts'
import { newUlid } from '../../platform/new-ulid.ts'
import { release } from '../../platform/process/release.ts'
import type { ShardHandle } from '../../platform/queue/index.ts'
import type { ShardNews } from '../../platform/queue/shard-messages.ts'
import { planFile } from '../../platform/store/keys.ts'
import type { FetchedModel } from '../check-model.ts'
import type { RunContext } from '../run-context.ts'
import type { ShardOutcome } from '../slot-messages.ts'
import type { Slot, SlotPool } from '../slot-pool.ts'
import { isGone } from '../store-failure.ts'
import type { PlanCopies } from './plan-copies.ts'
import { PlanStore } from './plan-store.ts'

/** What a worker keeps beside the plan. */
export interface FetchedPlan {
  model?: FetchedModel
}

type StopReason = 'over' | 'given_back' | 'disk_full'

const otherReleaseDelayMs = 30_000
const troubleDelayMs = 2_000
const newsMs = 1_000
/** A shard that so many workers have not finished is left to the run that coordinates. It may be to blame. */
const mostDeliveries = 5

/**
 * One shard of another run's forecast in this worker's hands, from the message to its acknowledgement. The run that
 * coordinates the shards need not hear of it: the part is in the store, or the message goes back.
 */
export class ShardRun {
  readonly jobId: string
  readonly #context: RunContext
  readonly #pool: SlotPool
  readonly #handle: ShardHandle
  readonly #slot: Slot
  readonly #copies: PlanCopies<FetchedPlan>
  readonly #log: Logger
  readonly #maker = newUlid()
  readonly #folder: string
  readonly #stop = new AbortController()
  #toldMs = -Infinity

  constructor (context: RunContext, pool: SlotPool, handle: ShardHandle, slot: Slot, copies: PlanCopies<FetchedPlan>) {
    const { jobId, tenant, shard, requestId, run } = handle.message
    this.#log = context.log.child({ jobId, tenant, shard, requestId, run })
    this.#context = { ...context, log: this.#log, store: context.store.within(this.#stop.signal) }
    this.#pool = pool
    this.#handle = handle
    this.#slot = slot
    this.#copies = copies
    this.#folder = join(context.scratch, this.#maker)
    this.jobId = jobId
  }

  stop (reason: StopReason): void {
    this.#stop.abort(reason)
  }

  /** Never rejects. */
  async finish (): Promise<void> {
    const { queue } = this.#context
    const { plan, shard } = this.#handle.message
    const beat = setInterval(() => this.#handle.working(), this.#handle.leaseMs / 3)
    const unsubscribe = [
      queue.onCancel(this.jobId, (_isDeleted, run) => {
        if (run === undefined) this.stop('over')
      }),
      queue.onShardsOver(this.jobId, (over) => {
        if (over.plan === plan.prefix) this.stop('over')
      }),
      queue.onShardNews(this.jobId, shard, (news) => {
        const isOther = news.plan === plan.prefix && news.maker !== this.#maker
        if (isOther && news.state === 'done') this.stop('over')
      })
    ]
    try {
      await this.#compute()
    } catch (err) {
      this.#giveUp(err)
    } finally {
      clearInterval(beat)
      for (const end of unsubscribe) end()
      this.#pool.release(this.#slot)
      await rm(this.#folder, { recursive: true, force: true }).catch((err: unknown) =>
        this.#log.warn({ err }, 'files of a shard not removed')
      )
    }
  }

  async #compute (): Promise<void> {
    const { message } = this.#handle
    const { plan, shard } = message
    const leftMs = message.deadlineMs - Date.now()
    if (leftMs <= 0) return this.#handle.ack()
    if (this.#handle.deliveries > mostDeliveries) return this.#failed(undefined, 'shard lost too often')
    if (message.release !== release) {
      this.#log.info({ version: message.release }, 'shard of another release given back')
      return this.#handle.nak(otherReleaseDelayMs)
    }
    const deadlineMs = performance.now() + leftMs
    await this.#pool.revive(this.#slot)
    await mkdir(this.#folder, { mode: 0o700 })
    const store = this.#planStore(deadlineMs, this.#folder)
    if (await store.isPartDone(shard)) return this.#done()
    this.#tell('taken')
    const copy = await this.#copies.use(plan.prefix, async (folder) => await this.#fetchPlan(folder, deadlineMs))
    const unwatch = await this.#watch()
    try {
      const end = await this.#runInSlot(store, copy, deadlineMs)
      if ('failure' in end) return this.#failed(end.failure)
      // When the job has ended, parts would stay.
      if (!await store.isThere()) return this.#handle.ack()
      await store.putPart(shard, this.#maker, join(this.#folder, 'part'), plan.sha256, end)
      this.#log.info({}, 'part of a shard stored')
      if (await store.isThere()) return this.#done()
      await this.#context.store.deletePrefix(`${plan.prefix}${shard}/`)
      this.#handle.ack()
    } finally {
      unwatch()
      copy.release()
    }
  }

  async #runInSlot (store: PlanStore, { folder, fetched }: { folder: string, fetched: FetchedPlan },
    deadlineMs: number): Promise<ShardOutcome | { failure: TaskFailure | undefined }> {
    const { message: { shard, maxCsvBytes, budgetMs } } = this.#handle
    const { signal } = this.#stop
    const { process } = this.#slot
    const seriesPath = await store.series(shard)
    const partFolder = join(this.#folder, 'part')
    await mkdir(partFolder, { mode: 0o700 })
    const stop = (): void => {
      if (signal.reason === 'over') process.cancel()
      else process.kill()
    }
    const timer = setTimeout(() => this.stop('over'), Math.max(0, deadlineMs - performance.now()))
    signal.addEventListener('abort', stop, { once: true })
    try {
      signal.throwIfAborted()
      const end = await process.run({
        ...{ kind: 'shard', planPath: join(folder, planFile), seriesPath, folder: partFolder, maxCsvBytes },
        threads: this.#context.config.SLOT_THREADS,
        budgetSeconds: Math.max(0, Math.min(budgetMs, deadlineMs - performance.now())) / 1000,
        ...fetched
      }, (_stage, fraction) => this.#tell('progress', { fraction }))
      signal.throwIfAborted()
      if (end.type === 'done') return end.result
      if (end.type === 'failed') return { failure: end.failure }
      if (end.type === 'died' && end.cause === 'crowded') throw new Error('the slots have no memory left for the shard')
      return { failure: undefined }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  async #fetchPlan (folder: string, deadlineMs: number): Promise<FetchedPlan> {
    await this.#planStore(deadlineMs, folder).fetch(false)
    const { model } = this.#handle.message
    if (model === undefined) return {}
    const path = join(folder, 'model')
    await this.#context.store.getToFile(model.key, path)
    return { model: { ...model, path } }
  }

  /** A part that fills the disk is not finished here. */
  async #watch (): Promise<() => void> {
    const { config: { DATA_DIR_MIN_FREE_BYTES: kept }, results } = this.#context
    const { tenant } = this.#handle.message
    return await results.watch({ tenant, folder: this.#folder, kept, end: () => this.stop('disk_full') })
  }

  #planStore (deadlineMs: number, folder: string): PlanStore {
    const { store, log } = this.#context
    const { plan: { prefix } } = this.#handle.message
    return new PlanStore({ store, prefix, folder, signal: this.#stop.signal, deadlineMs, log })
  }

  #done (): void {
    this.#tell('done')
    this.#handle.ack()
  }

  /** The run that coordinates the shards computes it itself, and decides. */
  #failed (failure: TaskFailure | undefined,
    text = failure === undefined ? 'slot died with a shard' : 'shard not computed'): void {
    this.#log.warn({ code: failure?.code }, text)
    this.#tell('failed', failure === undefined ? {} : { failure })
    this.#handle.ack()
  }

  #giveUp (err: unknown): void {
    const reason = this.#stop.signal.reason as StopReason | undefined
    if (reason === 'over' || (reason === undefined && isGone(err))) {
      this.#log.info({ reason }, 'shard no longer needed')
      this.#handle.ack()
      return
    }
    this.#log.warn({ err, reason }, 'shard given back')
    this.#tell('returned')
    this.#handle.nak(reason === 'given_back' ? undefined : troubleDelayMs)
  }

  /** Progress is told once a second. */
  #tell (state: ShardNews['state'], more: Pick<ShardNews, 'fraction' | 'failure'> = {}): void {
    const nowMs = performance.now()
    if (state === 'progress' && nowMs - this.#toldMs < newsMs) return
    this.#toldMs = nowMs
    const { jobId, plan: { prefix }, shard } = this.#handle.message
    this.#context.queue.publishShardNews({
      ...{ v: messageVersion, jobId, plan: prefix, shard, maker: this.#maker, state },
      ...more
    })
  }
}
