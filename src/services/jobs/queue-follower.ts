import { setTimeout as sleep } from 'node:timers/promises'
import { repeat } from '../../platform/time/repeat.ts'
import { inPortions } from '../../platform/turns/in-portions.ts'
import type { JobParts, JobServiceDeps } from './job-parts.ts'

/** Maximum bytes of the EVENTS stream. A terminal event has a few hundred, so about a hundred thousand fit. */
const maxEventBytes = 64 * 1024 * 1024
/** How long jobs wait for the ends that were announced before. */
const drainMs = 15_000

/**
 * Takes up the open jobs of earlier processes, and follows the connection to the queue: each connection ensures the
 * streams and drains events, and after one lease the reconciler starts.
 */
export class QueueFollower {
  /** Resolves when the open jobs of earlier processes are known. Rejects when one of them cannot be read. */
  readonly restored: Promise<void>
  readonly #deps: Pick<JobServiceDeps, 'config' | 'queue' | 'log' | 'observer'>
  readonly #parts: JobParts
  readonly #stopping = new AbortController()
  readonly #subscriptions: Array<() => void>
  #tasks: Array<{ stop: () => Promise<void> }> | undefined

  constructor (deps: Pick<JobServiceDeps, 'config' | 'queue' | 'log' | 'observer'>, parts: JobParts) {
    this.#deps = deps
    this.#parts = parts
    this.restored = this.#restore()
    this.#subscriptions = this.#subscribe()
  }

  /** Starts nothing new. Resolves when the open jobs are known, or no longer looked for. */
  async stop (): Promise<void> {
    this.#stopping.abort()
    await this.restored
    for (const unsubscribe of this.#subscriptions) unsubscribe()
  }

  async stopTasks (): Promise<void> {
    for (const task of this.#tasks ?? []) await task.stop()
  }

  /** The records may be large, so requests are served in between. */
  async #restore (): Promise<void> {
    const { ledger, admission, resultSpace, dispatcher } = this.#parts
    for await (const record of inPortions(ledger.open())) {
      if (this.#stopping.signal.aborted) return
      this.#deps.observer?.found(record)
      resultSpace.restore(record)
      if (record.status === 'pending') admission.restore(record.tenant, record.jobId)
      if (ledger.isInOutbox(record.jobId)) dispatcher.add(record)
      else if (record.status === 'pending' || record.givenBack === record.run) dispatcher.markUnclaimed(record)
      else dispatcher.claimed(record)
    }
  }

  #subscribe (): Array<() => void> {
    const { queue, log } = this.#deps
    const { presence, claims, dispatcher, checks, events, budgets } = this.#parts
    return [
      queue.onWorkers((message) => {
        presence.announce(message)
        claims.announced(message)
        dispatcher.pump()
        checks.pump()
      }),
      queue.serveClaims(async (request) => {
        await this.restored
        return await claims.claim(request)
      }),
      queue.onNews((news) => {
        budgets.spend(news.tenant, 'inspect', news.cpuMs)
        this.restored.then(() => claims.news(news)).catch((error: unknown) =>
          log.warn({ err: error, jobId: news.jobId }, 'news not recorded')
        )
      }),
      queue.consumeEvents(async (ends, givenBack) => {
        await this.restored
        return await events.handle(ends, givenBack)
      }),
      queue.onConnection((connected) => {
        if (connected) void this.#connect()
        else dispatcher.setOpen(false)
      })
    ]
  }

  /** The queue may be new, so streams and their jobs are restored from the record. */
  async #connect (): Promise<void> {
    const { config, queue, log } = this.#deps
    const { reconciler, dispatcher } = this.#parts
    while (queue.connected && !this.#stopping.signal.aborted) {
      try {
        await this.restored
        const { MAX_QUEUED: maxJobs, LEASE_MS: leaseMs, NATS_REPLICAS: replicas } = config
        const streams = { maxJobs, maxEventBytes, leaseMs, replicas }
        const { jobsCreated } = await queue.ensureStreams(streams)
        // A job whose end is not handled by then is computed again at worst.
        await queue.drainEventsTo(await queue.eventsLastSequence(), AbortSignal.timeout(drainMs))
        await reconciler.checkStream(jobsCreated)
        // A stop may have closed the record in the meantime, and publishing a job reads it.
        if (this.#stopping.signal.aborted) return
        dispatcher.setOpen(true)
        this.#startTasks()
        return
      } catch (error) {
        log.warn({ err: error }, 'the queue is not ready yet')
        await sleep(500)
      }
    }
  }

  #startTasks (): void {
    if (this.#tasks !== undefined || this.#stopping.signal.aborted) return
    const { config, log } = this.#deps
    const { reconciler, presence } = this.#parts
    const tasks: Array<{ stop: () => Promise<void> }> = this.#tasks = []
    const start = setTimeout(() => {
      tasks.push(
        repeat('reconcile', config.RECONCILE_MS, log, async () => {
          await reconciler.run()
          presence.prune(10 * config.LEASE_MS)
        })
      )
    }, config.LEASE_MS)
    tasks.push({ stop: async () => clearTimeout(start) })
  }
}
