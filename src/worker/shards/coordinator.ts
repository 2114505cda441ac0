import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { newUlid } from '../../platform/new-ulid.ts'
import type { FetchedModel } from '../check-model.ts'
import type { Part } from '../slot-messages.ts'
import type { PlanStore } from './plan-store.ts'
import type { RunInSlot, StageFailure } from './run-in-slot.ts'
import type { ShardList } from './shard-list.ts'
import type { ShardOffers } from './shard-offers.ts'

const waitMs = 100
const lookMs = 1_000
/** Parts that are stored or fetched while the slot computes. */
const mostTransfers = 4

export interface CoordinatorOptions {
  plan: PlanStore
  /** The hash of the plan. */
  sha256: string
  shards: ShardList
  /** Gives shards to other workers; absent if there are none. */
  offers: ShardOffers | undefined
  runInSlot: RunInSlot
  model: FetchedModel | undefined
  maxCsvBytes: number
  threads: number
  /** The time that the next shard should keep to. */
  budgetSeconds: () => number
  /** The end of the time budget on the clock of performance.now. */
  budgetEndMs: number
  /** The run's folder for parts. */
  folder: string
  onProgress: () => void
  signal: AbortSignal
  log: Logger
}

/**
 * Sees to it that every shard of a plan has a part in this run's folder: computes shards in the run's own slot, offers
 * others to other workers, and fetches what they have made.
 */
export class Coordinator {
  readonly #options: CoordinatorOptions
  readonly #parts = new Map<number, Part>()
  readonly #transfers = new Set<Promise<void>>()
  /** Shards whose part is being fetched. */
  readonly #fetching = new Set<number>()
  #own: { shard: number, enough: AbortController } | undefined
  #error: unknown
  #lookedMs = performance.now()

  constructor (options: CoordinatorOptions) {
    this.#options = options
  }

  /** The parts in the order of the shards, or why there are not all of them. Rejects with the signal's reason. */
  async parts (): Promise<Part[] | StageFailure> {
    const { offers, signal } = this.#options
    offers?.start((shard) => this.#heardDone(shard))
    const timer = setInterval(() => {
      void this.#look()
    }, lookMs)
    let isOver = false
    try {
      for (const shard of this.#missing()) this.#fetch(shard)
      const failure = await this.#computeAll()
      // After the death of the slot, the next run of the job goes on from the parts that are there then.
      isOver = failure === undefined || failure === 'timeout' || failure.type === 'failed'
      return failure ?? [...this.#parts].sort(([one], [other]) => one - other).map(([, part]) => part)
    } finally {
      clearInterval(timer)
      const ended = offers?.stop(isOver || signal.reason === 'cancelled')
      // Whoever cancels a run does not wait for the queue.
      if (!signal.aborted) await ended
    }
  }

  async #computeAll (): Promise<StageFailure | undefined> {
    const { shards, signal, budgetEndMs } = this.#options
    while (this.#parts.size < shards.total) {
      signal.throwIfAborted()
      if (this.#error !== undefined) throw this.#error
      if (performance.now() > budgetEndMs) return 'timeout'
      const failure = await this.#computeNext()
      if (failure !== undefined) return failure
    }
    await Promise.all(this.#transfers)
    return undefined
  }

  /** These parts are not what they should be: their shards are computed again, here. */
  async spoilt (shards: readonly number[]): Promise<void> {
    for (const shard of shards) {
      this.#options.log.warn({ shard }, 'part of a shard is damaged, the shard is computed again')
      this.#parts.delete(shard)
      await this.#options.plan.dropPart(shard)
      this.#options.shards.spoilt(shard)
    }
  }

  /** Shards that are done, but whose part is not here. */
  #missing (): number[] {
    const { shards } = this.#options
    return Array.from({ length: shards.total }, (_, shard) => shard)
      .filter((shard) => !shards.isOpen(shard) && !this.#parts.has(shard) && !this.#fetching.has(shard))
  }

  async #computeNext (): Promise<StageFailure | undefined> {
    const { shards, offers, signal } = this.#options
    const next = this.#transfers.size < mostTransfers ? shards.nextOwn(performance.now()) : undefined
    if (next === undefined) {
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      return undefined
    }
    if (next.seq !== undefined) void offers?.withdraw(next.seq)
    return await this.#compute(next.index)
  }

  async #compute (shard: number): Promise<StageFailure | undefined> {
    const { plan, shards, runInSlot, model, maxCsvBytes, threads, folder, budgetSeconds, onProgress } = this.#options
    const maker = newUlid()
    const ownFolder = join(folder, `${shard}-${maker}`)
    await mkdir(ownFolder, { recursive: true, mode: 0o700 })
    const seriesPath = await plan.series(shard)
    const enough = new AbortController()
    this.#own = { shard, enough }
    const startedMs = performance.now()
    const end = await runInSlot({
      ...{ kind: 'shard', planPath: plan.planPath, seriesPath, folder: ownFolder, maxCsvBytes, threads },
      budgetSeconds: budgetSeconds(),
      ...(model === undefined ? {} : { model })
    }, {
      enough: enough.signal,
      onProgress: (_stage, fraction) => {
        shards.ownProgress(shard, fraction)
        onProgress()
      }
    }).finally(() => {
      this.#own = undefined
    })
    if (end === 'timeout' || end.type === 'died') return end
    if (end.type === 'cancelled' || (enough.signal.aborted && !shards.isOpen(shard))) return undefined
    if (end.type === 'failed') return end
    shards.ownTook(performance.now() - startedMs)
    shards.isDoneNow(shard)
    this.#parts.set(shard, { folder: ownFolder, ...end.result })
    onProgress()
    this.#transfer(async () => {
      await plan.putPart(shard, maker, ownFolder, this.#options.sha256, end.result)
      this.#options.offers?.tellDone(shard, maker)
    }, `part ${shard} not stored`)
    return undefined
  }

  #heardDone (shard: number): void {
    const { shards } = this.#options
    if (!shards.isOpen(shard)) return
    shards.isDoneNow(shard)
    if (this.#own?.shard === shard) this.#own.enough.abort()
    this.#options.onProgress()
    this.#fetch(shard)
  }

  #fetch (shard: number): void {
    const { plan, sha256, folder, shards } = this.#options
    if (this.#fetching.has(shard) || this.#parts.has(shard)) return
    this.#fetching.add(shard)
    this.#transfer(async () => {
      const part = await plan.fetchPart(shard, sha256, join(folder, `${shard}-${newUlid()}`))
      this.#fetching.delete(shard)
      if (part === undefined) {
        await plan.dropPart(shard)
        shards.spoilt(shard)
      } else this.#parts.set(shard, part)
    }, undefined)
  }

  /** `text`: what to log if the transfer fails and the run can go on; otherwise its error ends the run. */
  #transfer (work: () => Promise<void>, text: string | undefined): void {
    const { signal, log } = this.#options
    const transfer: Promise<void> = work().catch((err: unknown) => {
      if (signal.aborted) return
      if (text === undefined) this.#error ??= err
      else log.warn({ err }, text)
    }).finally(() => {
      this.#transfers.delete(transfer)
    })
    this.#transfers.add(transfer)
  }

  /** Messages of others may be lost; the store knows what they have done. */
  async #look (): Promise<void> {
    const { shards, plan, offers, signal, onProgress } = this.#options
    onProgress()
    if (offers === undefined || performance.now() - this.#lookedMs < lookMs) return
    this.#lookedMs = Infinity
    try {
      const suspects = offers.wasAway() ? shards.elsewhere() : shards.silent(performance.now())
      for (const shard of suspects) if (await plan.isPartDone(shard)) this.#heardDone(shard)
      await offers.publish()
    } catch (err) {
      if (!signal.aborted) this.#options.log.warn({ err }, 'parts of other workers not looked up')
    } finally {
      this.#lookedMs = performance.now()
    }
  }
}
