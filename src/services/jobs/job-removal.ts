import type { Logger } from 'pino'
import { jobFacts } from '../../platform/log/job-facts.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import { jobPrefix } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import type { Within } from './job-ledger.ts'
import type { JobParts } from './job-parts.ts'
import { isTerminal, type JobRecord } from './job-record.ts'
import { Sweeper, type KeptKey } from './sweeper.ts'

export interface JobRemovalDeps {
  parts: JobParts
  store: ObjectStore
  queue: ApiQueue
  keptKey: KeptKey
  log: Logger
}

/** Deletes jobs with all that belongs to them, on request and when they expire. */
export class JobRemoval {
  readonly sweeper: Sweeper
  readonly #parts: JobParts
  readonly #queue: ApiQueue
  readonly #log: Logger

  constructor ({ parts, store, queue, keptKey, log }: JobRemovalDeps) {
    this.#parts = parts
    this.#queue = queue
    this.#log = log
    this.sweeper = new Sweeper({
      ledger: parts.ledger,
      store,
      keptKey,
      onGone: async (record) => await this.#end(record),
      log
    })
  }

  async delete (tenant: string, jobId: string, within?: Within): Promise<boolean> {
    const { ledger, reads } = this.#parts
    const record = await ledger.delete(tenant, jobId, within)
    if (record === undefined) return false
    reads.cut(jobId)
    // In parallel, so that a slow store does not delay the cancellation of runs.
    const ends = await Promise.allSettled([
      this.#end(record),
      this.sweeper.sweep(jobPrefix(tenant, jobId), null)
    ])
    for (const end of ends) {
      // The tombstone holds. The scheduled sweep and the claim of a late worker finish the rest.
      if (end.status === 'rejected') {
        this.#log.warn({ ...jobFacts(record), err: end.reason as unknown },
          'job deleted; its objects or its message are removed later')
      }
    }
    return true
  }

  /** Call it after the tombstone. Ends everything that belongs to the job. */
  async #end (record: JobRecord): Promise<void> {
    const { ledger, reads, dispatcher, claims, watchers } = this.#parts
    reads.cut(record.jobId)
    dispatcher.settle(record)
    claims.forget(record.jobId)
    watchers.notify(record.jobId)
    if (!this.#queue.connected) return
    this.#queue.publishCancel(record.jobId, 'deleted')
    if (isTerminal(record)) return
    // The message may be in the queue before the record says so.
    const { streamSequence } = ledger.sent.noted(record)
    if (streamSequence !== null) await this.#queue.deleteJobMessage(streamSequence)
  }
}
