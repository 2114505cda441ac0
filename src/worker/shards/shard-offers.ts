import type { Logger } from 'pino'
import { messageVersion } from '../../domain/message-version.ts'
import { release } from '../../platform/process/release.ts'
import { defined } from '../../platform/defined.ts'
import type { Unsubscribe, WorkerQueue } from '../../platform/queue/index.ts'
import type { JobMessage } from '../../platform/queue/job-messages.ts'
import type { ShardNews } from '../../platform/queue/shard-messages.ts'
import type { ShardList } from './shard-list.ts'

interface ShardOffersOptions {
  queue: WorkerQueue
  job: JobMessage
  run: string
  plan: { prefix: string, sha256: string }
  shards: ShardList
  /** The end of the time budget on the clock of performance.now. */
  budgetEndMs: number
  budgetSeconds: () => number
  log: Logger
}

/**
 * Gives shards to other workers through the queue, and hears of them. If the queue is away, the run computes all of
 * them itself.
 */
export class ShardOffers {
  readonly #options: ShardOffersOptions
  /** Not before what an earlier run has published is gone, and not after the end. */
  #isPublishing = false
  #unsubscribe: Unsubscribe[] = []
  #wasAway = false
  #isStopped = false

  constructor (options: ShardOffersOptions) {
    this.#options = options
  }

  /** Until `stop` is called. `onDone`: another worker has stored a part. */
  start (onDone: (shard: number) => void): void {
    const { queue, job: { jobId } } = this.#options
    this.#unsubscribe = [
      queue.onShardNews(jobId, undefined, (news) => this.#hear(news, onDone)),
      queue.onConnection((connected) => {
        if (!connected) this.#wasAway = true
      })
    ]
    // What an earlier run of the job has published is for another budget.
    void this.#purge().then(async () => {
      this.#isPublishing = !this.#isStopped
      await this.publish()
    })
  }

  /** `isOver`: nobody needs further parts. Otherwise other workers go on, for the next run of the job. */
  async stop (isOver: boolean): Promise<void> {
    const { queue, job: { jobId }, plan: { prefix } } = this.#options
    this.#isStopped = true
    this.#isPublishing = false
    for (const stop of this.#unsubscribe) stop()
    if (!isOver) return
    queue.publishShardsOver({ v: messageVersion, jobId, plan: prefix })
    await this.#purge()
  }

  /** Whether the queue was away since the last call, so that news may be lost. */
  wasAway (): boolean {
    const { queue, shards } = this.#options
    if (!this.#wasAway || !queue.connected) return false
    this.#wasAway = false
    shards.forgetPublished()
    return true
  }

  /** Publishes as many shards as other workers will take soon. */
  async publish (): Promise<void> {
    const { shards, queue } = this.#options
    const all: Array<Promise<void>> = []
    while (this.#isPublishing && queue.connected) {
      const next = shards.toPublish()
      if (next === undefined) break
      all.push(this.#publishOne(next))
    }
    await Promise.all(all)
  }

  async #publishOne ({ index, attempt }: { index: number, attempt: number }): Promise<void> {
    const { shards, log, queue } = this.#options
    try {
      shards.published(index, await queue.publishShard(this.#message(index, attempt)))
    } catch (err) {
      shards.unpublished(index)
      log.warn({ err, shard: index }, 'shard not published')
    }
  }

  async withdraw (seq: number): Promise<void> {
    const { queue, log } = this.#options
    await queue.withdrawShard(seq).catch((err: unknown) => log.debug({ err }, 'shard not withdrawn'))
    await this.publish()
  }

  /** Another worker that computes the same shard can stop. */
  tellDone (shard: number, maker: string): void {
    const { queue, job: { jobId }, plan: { prefix } } = this.#options
    queue.publishShardNews({ v: messageVersion, jobId, plan: prefix, shard, maker, state: 'done' })
  }

  #hear ({ plan, shard, maker, state, fraction = 0, failure }: ShardNews, onDone: (shard: number) => void): void {
    const { shards, plan: { prefix }, log } = this.#options
    if (plan !== prefix) return
    const nowMs = performance.now()
    switch (state) {
      case 'taken':
        shards.taken(shard, maker, nowMs)
        break
      case 'progress':
        return shards.progressed(shard, maker, fraction, nowMs)
      case 'done':
        onDone(shard)
        break
      case 'returned':
        return shards.returned(shard, maker)
      case 'failed':
        log.warn({ shard, code: failure?.code }, 'shard not computed by another worker')
        shards.failed(shard)
        break
    }
    void this.publish()
  }

  #message (shard: number, attempt: number) {
    const { job, run, plan, budgetEndMs, budgetSeconds } = this.#options
    return {
      ...{ v: messageVersion, jobId: job.jobId, tenant: job.tenant, run, plan, shard, attempt, release },
      maxCsvBytes: job.limits.maxCsvBytes,
      deadlineMs: Math.round(Date.now() + budgetEndMs - performance.now()),
      budgetMs: Math.round(1000 * budgetSeconds()),
      ...defined({ model: job.model, requestId: job.requestId, traceparent: job.traceparent })
    }
  }

  async #purge (): Promise<void> {
    const { queue, job: { jobId }, log } = this.#options
    await queue.purgeShards(jobId).catch((err: unknown) => log.debug({ err }, 'shards not purged'))
  }
}
