import { setImmediate } from 'node:timers/promises'
import type { Key, MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import { connectedInput, storedInput, type JobRecord } from '../jobs/job-record.ts'
import type { StoredObject } from '../objects/object-record.ts'

/**
 * | table | key | value |
 * |---|---|---|
 * | quotaDays | tenant, day | DayUse: what was taken on that day, UTC |
 * | quotaHolds | tenant, job or object id | Held: bytes that go with it |
 * | quotaTotals | tenant | Held: the sum of these |
 */
export const quotaTables = ['quotaDays', 'quotaHolds', 'quotaTotals'] as const

interface DayUse { jobs: number, rows: number }
interface Held { bytes: number }

export interface QuotaUse { jobs: number, rows: number, bytes: number }

/** Bytes for which a file counts one row where nobody has counted its rows before the job. */
const bytesPerRow = 32
const dayMs = 86_400_000
/** Of one look at the record: others have their turn after some milliseconds. */
const pageRecords = 500

/** What each tenant has taken, in the transactions that take and free it. */
export class QuotaLedger {
  readonly #metadata: MetadataStore
  readonly #now: () => number
  readonly #days: Table<DayUse>
  readonly #holds: Table<Held>
  readonly #totals: Table<Held>
  readonly #jobs: Table<JobRecord>
  readonly #objects: Table<StoredObject>

  constructor (metadata: MetadataStore, now: () => number = Date.now) {
    this.#metadata = metadata
    this.#now = now
    this.#days = metadata.table('quotaDays')
    this.#holds = metadata.table('quotaHolds')
    this.#totals = metadata.table('quotaTotals')
    this.#jobs = metadata.table('jobs')
    this.#objects = metadata.table('objects')
  }

  used (tenant: string): QuotaUse {
    return { ...this.#days.get([tenant, this.#today()])?.value ?? { jobs: 0, rows: 0 }, bytes: this.#totals.get([tenant])?.value.bytes ?? 0 }
  }

  /** When the counts of this day begin anew. */
  resetsAtMs (): number {
    return (Math.floor(this.#now() / dayMs) + 1) * dayMs
  }

  /** `check` throws when the tenant has taken more than it may, with this job. */
  follower (check: (tenant: string, use: QuotaUse) => void): JobFollower {
    return {
      created: (tx, record) => {
        this.#count(tx, record.tenant, { jobs: 1, rows: rowsBefore(record) })
        this.hold(tx, record.tenant, record.jobId, ownBytes(record))
        check(record.tenant, this.#usedIn(tx, record.tenant))
      },
      ended: (tx, record) => {
        this.#count(tx, record.tenant, { jobs: 0, rows: Math.ceil((connectedInput(record)?.read?.bytes ?? 0) / bytesPerRow) })
        this.hold(tx, record.tenant, record.jobId, ownBytes(record))
        return record
      },
      buried: (tx, { tenant, jobId }) => { this.hold(tx, tenant, jobId, 0) }
    }
  }

  /** Bytes that this job or object has from now on. What the tenant had `before` in all, and by how much that has grown. */
  hold (tx: Transaction, tenant: string, id: string, bytes: number): { before: number, grown: number } {
    const before = tx.get(this.#totals, [tenant])?.value.bytes ?? 0
    const grown = bytes - (tx.get(this.#holds, [tenant, id])?.value.bytes ?? 0)
    if (grown === 0) return { before, grown }
    if (bytes === 0) tx.delete(this.#holds, [tenant, id])
    else tx.put(this.#holds, [tenant, id], { bytes })
    tx.put(this.#totals, [tenant], { bytes: before + grown })
    return { before, grown }
  }

  /**
   * Jobs and objects from before quotas were set have bytes too, and what went while there were none has none any more; counts of days begin
   * with them. Page by page, as there may be millions of records, and written where it differs.
   */
  async countAgain (stopped: AbortSignal): Promise<void> {
    for (const table of [this.#holds, this.#jobs, this.#objects]) {
      let start: Key | undefined
      for (let isLast = false; !isLast;) {
        await setImmediate()
        if (stopped.aborted) return
        const page = [...table.range({ ...(start === undefined ? {} : { start }), limit: pageRecords })].map(({ key }) => key)
        const wrong = page.filter((key) => {
          const held = this.#holds.get(key)?.value.bytes ?? 0
          return held !== due(this.#jobs.get(key)?.value, this.#objects.get(key)?.value, held)
        })
        if (wrong.length > 0) {
          await this.#metadata.transact((tx) => {
            for (const key of wrong) {
              const [tenant, id] = key.map(String) as [string, string]
              this.hold(tx, tenant, id, due(tx.get(this.#jobs, key)?.value, tx.get(this.#objects, key)?.value, tx.get(this.#holds, key)?.value.bytes ?? 0))
            }
          })
        }
        isLast = page.length < pageRecords
        start = page.at(-1)
      }
    }
  }

  #usedIn (tx: Transaction, tenant: string): QuotaUse {
    return { ...tx.get(this.#days, [tenant, this.#today()])?.value ?? { jobs: 0, rows: 0 }, bytes: tx.get(this.#totals, [tenant])?.value.bytes ?? 0 }
  }

  #count (tx: Transaction, tenant: string, { jobs, rows }: DayUse): void {
    if (jobs === 0 && rows === 0) return
    const today = this.#today()
    const before = tx.get(this.#days, [tenant, today])?.value
    // The first of a day: what was taken on earlier days is of no use any more.
    if (before === undefined) for (const { key } of tx.range(this.#days, { prefix: [tenant] })) tx.delete(this.#days, key)
    tx.put(this.#days, [tenant, today], { jobs: (before?.jobs ?? 0) + jobs, rows: (before?.rows ?? 0) + rows })
  }

  #today (): string {
    return new Date(this.#now()).toISOString().slice(0, 10)
  }
}

/** Of a connection's source nothing is known until the job has read it. */
function rowsBefore (record: JobRecord): number {
  const input = storedInput(record)
  return record.profile?.rows ?? (input === undefined ? 0 : Math.ceil(input.bytes / bytesPerRow))
}

/** Its upload and its results; a stored object counts by itself. */
function ownBytes (record: JobRecord): number {
  const input = storedInput(record)
  const upload = input === undefined || input.objectId !== undefined ? 0 : input.bytes
  return record.files.reduce((sum, { bytes }) => sum + bytes, upload)
}

/** Of an object whose size nobody has said, what has come of it. */
function due (job: JobRecord | undefined, object: StoredObject | undefined, held: number): number {
  if (job !== undefined) return ownBytes(job)
  return object === undefined || object.status === 'failed' ? 0 : object.fileSize ?? held
}
