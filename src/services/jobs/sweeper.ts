import type { Logger } from 'pino'
import { jobPrefix, ownerOf, runOfKey } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import type { JobLedger, Sweep } from './job-ledger.ts'
import type { JobRecord } from './job-record.ts'

const batch = 500
/** The most jobs that one transaction deletes. */
const expiredAtOnce = 50
/** Prefixes that are swept in parallel, so that they share commits. */
const atOnce = 20
/** Prefixes of one run, so that it ends even when more become due. */
const sweptAtMost = 10_000
/** Longer than any run can go on after its job was deleted. */
const tombstoneAgeMs = 24 * 3_600_000

export type KeptKey = (tenant: string, jobId: string) => string | undefined

interface SweeperDeps {
  ledger: JobLedger
  store: ObjectStore
  /** An object of the job that outlives it: the model that it trained. */
  keptKey: KeptKey
  /** Stops the runs of a deleted job and removes its message. */
  onGone: (record: JobRecord) => Promise<void>
  log: Logger
}

/** Deletes expired jobs, outputs of losing runs, and objects of deleted jobs. */
export class Sweeper {
  readonly #deps: SweeperDeps

  constructor (deps: SweeperDeps) {
    this.#deps = deps
  }

  async run (): Promise<void> {
    const { ledger, onGone, log } = this.#deps
    for (;;) {
      const expired = await ledger.expire(expiredAtOnce)
      if (expired.length === 0) break
      for (const record of expired) await onGone(record)
      log.info({ count: expired.length }, 'jobs expired')
    }
    await ledger.forgetTombstones(tombstoneAgeMs, batch)
    await this.sweepObjects()
  }

  /**
   * Deletes due objects. Failed deletions stay due, and so does what exceeds one run. Rejects with the first failure,
   * after all others were tried.
   */
  async sweepObjects (): Promise<void> {
    const { ledger } = this.#deps
    let last: Sweep | undefined
    let failed: PromiseRejectedResult | undefined
    for (let left = sweptAtMost; left > 0; left -= atOnce) {
      const due = ledger.dueSweeps(atOnce, last)
      last = due.at(-1)
      const ends = await Promise.allSettled(due.map(async ({ dueMs, prefix, keepRun }) => {
        await this.sweep(prefix, keepRun)
        await ledger.sweepDone(dueMs, prefix)
      }))
      failed ??= ends.find((end) => end.status === 'rejected')
      if (due.length < atOnce) break
    }
    if (failed !== undefined) throw failed.reason
  }

  /** Uploads whose record was never written because the api died before. */
  async sweepOrphans (olderThanMs: number): Promise<void> {
    const { ledger, store, log } = this.#deps
    const edge = Date.now() - olderThanMs
    for await (const { key, modifiedMs } of store.list('', { maxSegments: 3 })) {
      const [tenant, jobId, name] = key.split('/')
      if (name !== 'input' || tenant === undefined || jobId === undefined || modifiedMs >= edge) continue
      if (ledger.has(tenant, jobId)) continue
      await this.sweep(jobPrefix(tenant, jobId), null)
      log.info({ jobId }, 'removed an upload without a record')
    }
    await store.sweepUnfinished(olderThanMs)
  }

  /** `prefix`: of several objects, or the key of one. */
  async sweep (prefix: string, keepRun: string | null): Promise<void> {
    const { store, keptKey } = this.#deps
    if (!prefix.endsWith('/')) return await store.deleteKey(prefix)
    const { tenant, jobId } = ownerOf(prefix)
    const kept = keptKey(tenant, jobId)
    if (keepRun === null && kept?.startsWith(prefix) !== true) {
      await store.deletePrefix(prefix)
      return
    }
    for await (const { key } of store.list(prefix)) {
      const run = runOfKey(prefix, key)
      const isOver = keepRun === null || (run !== undefined && run !== keepRun)
      if (isOver && key !== kept) await store.deleteKey(key)
    }
  }
}
