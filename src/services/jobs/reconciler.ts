import type { Logger } from 'pino'
import type { JobResult } from '../../domain/job-result.ts'
import { jobFacts } from '../../platform/log/job-facts.ts'
import type { Table, MetadataStore } from '../../platform/metadata/metadata-store.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import { jobPrefix, resultKey, runsIn } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { inPortions } from '../../platform/turns/in-portions.ts'
import type { Dispatcher } from './dispatcher.ts'
import { readResult, type EventDesk } from './event-desk.ts'
import type { JobLedger } from './job-ledger.ts'
import type { JobRecord } from './job-record.ts'
import type { WorkerPresence } from './worker-presence.ts'

interface ReconcilerDeps {
  metadata: MetadataStore
  ledger: JobLedger
  queue: ApiQueue
  store: ObjectStore
  presence: WorkerPresence
  dispatcher: Dispatcher
  events: EventDesk
  log: Logger
  leaseMs: number
}

const streamKey = ['jobsCreated']
/** A store that takes longer for what the runs of a job stored must not hold up other jobs. */
const storeMs = 30_000
/** After so many failed reads the result of a run counts as lost. */
const maxFailedReads = 10

interface Suspect {
  sinceMs: number
  failedReads: number
}

/**
 * Compares the record with the queue. An open job has lost its message when it is not in the outbox and has neither a
 * live run nor a message in the stream. If some run left a result, it is adopted; otherwise the job is published again.
 */
export class Reconciler {
  readonly #deps: ReconcilerDeps
  readonly #state: Table<{ created: string }>
  /** When a job first looked lost. A job that is just being handed over looks lost for a moment. */
  readonly #suspects = new Map<string, Suspect>()

  constructor (deps: ReconcilerDeps) {
    this.#deps = deps
    this.#state = deps.metadata.table('queueState')
  }

  /**
   * Call it after each connection, with the creation time of the JOBS stream. A different time means that all messages
   * are gone.
   */
  async checkStream (created: string): Promise<void> {
    const { metadata, ledger, dispatcher, log, leaseMs } = this.#deps
    const known = this.#state.get(streamKey)?.value.created
    if (known === created) return
    if (known !== undefined) {
      let count = 0
      for await (const { tenant, jobId } of inPortions(ledger.openPlaces())) {
        const record = this.#dispatched(tenant, jobId)
        if (record === undefined || this.#hasLiveRun(record, leaseMs)) continue
        const again = await ledger.redispatch(tenant, jobId)
        if (again === undefined) continue
        dispatcher.add(again)
        count++
      }
      log.warn({ count }, 'the queue was rebuilt; its jobs are published again from the record')
    }
    await metadata.transact((tx) => tx.put(this.#state, streamKey, { created }))
  }

  async run (): Promise<void> {
    const { ledger, queue, leaseMs } = this.#deps
    const now = performance.now()
    const seen = new Set<string>()
    let isStoreAway = false
    for await (const { tenant, jobId } of inPortions(ledger.openPlaces())) {
      if (!queue.connected) return
      const record = this.#dispatched(tenant, jobId)
      if (record === undefined || record.streamSequence === null || this.#hasLiveRun(record, 2 * leaseMs)) continue
      if (await queue.jobMessageExists(record.streamSequence)) continue
      seen.add(record.jobId)
      const suspect = this.#suspects.get(record.jobId)
      if (suspect === undefined) this.#suspects.set(record.jobId, { sinceMs: now, failedReads: 0 })
      else if (now - suspect.sinceMs >= leaseMs && !isStoreAway) isStoreAway = !await this.#restore(record, suspect)
    }
    for (const jobId of this.#suspects.keys()) if (!seen.has(jobId)) this.#suspects.delete(jobId)
  }

  /**
   * undefined when the job has ended or waits in the outbox. There may be many of those, with large records, so their
   * records are not read.
   */
  #dispatched (tenant: string, jobId: string): JobRecord | undefined {
    const { ledger } = this.#deps
    return ledger.isInOutbox(jobId) ? undefined : ledger.get(tenant, jobId)
  }

  #hasLiveRun (record: JobRecord, withinMs: number): boolean {
    return record.run !== null && this.#deps.presence.isRunAlive(record.run, withinMs)
  }

  /** False when the store does not answer. */
  async #restore (record: JobRecord, suspect: Suspect): Promise<boolean> {
    const { tenant, jobId } = record
    const { ledger, dispatcher, events, log } = this.#deps
    const found = await this.#findResult(record).catch((err: unknown) => {
      log.warn({ ...jobFacts(record), err }, 'what the runs of this job stored cannot be listed now')
      return 'later' as const
    })
    if (found === 'later' || (found === 'unread' && ++suspect.failedReads < maxFailedReads)) {
      suspect.sinceMs = performance.now()
      return found !== 'later'
    }
    this.#suspects.delete(jobId)
    const lost = found === 'unread' ? await ledger.loseResult(tenant, jobId, record.run ?? '') : undefined
    if (lost !== undefined) {
      log.error({ ...jobFacts(lost), count: lost.lostResults }, 'the result of this job cannot be read')
      await events.runAgain(lost)
      return true
    }
    if (found !== 'unread' && found !== undefined) {
      log.warn({ ...jobFacts(record), run: found.run }, 'adopted a result whose event was lost')
      await events.apply([{ tenant, result: found }])
      return true
    }
    const again = await ledger.redispatch(tenant, jobId)
    if (again === undefined) return true
    log.warn({ ...jobFacts(record), dispatch: again.dispatch },
      'the message of this job was lost; it is published again')
    dispatcher.add(again)
    return true
  }

  /**
   * The result of the first run that completed; undefined when none did, and `unread` when one is there that cannot be
   * read. Rejects when the store cannot be listed.
   */
  async #findResult (record: JobRecord): Promise<JobResult | 'unread' | undefined> {
    const { log } = this.#deps
    const store = this.#deps.store.within(AbortSignal.timeout(storeMs))
    const prefix = jobPrefix(record.tenant, record.jobId)
    let none: 'unread' | undefined
    for (const run of await runsIn(prefix, store.list(prefix))) {
      try {
        const found = await readResult(store, resultKey(prefix, run), null)
        if (found !== undefined && found !== 'too_large' && found.result.code === null) return found.result
      } catch (err) {
        log.warn({ ...jobFacts(record), run, err }, 'the result of a run cannot be read now')
        none = 'unread'
      }
    }
    return none
  }
}
