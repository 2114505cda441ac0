import { setImmediate } from 'node:timers/promises'
import type { Entry, Key, MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import { defined } from '../../platform/defined.ts'

/**
 * | table | key | value |
 * |---|---|---|
 * | quotaDays | tenant, day | DayUse: what the tenant took on that day, UTC |
 * | quotaHolds | tenant, job or object id | Held: the bytes of that job or object |
 * | quotaTotals | tenant | Held: the sum of quotaHolds |
 */
export const quotaTables = ['quotaDays', 'quotaHolds', 'quotaTotals'] as const

interface DayUse {
  jobs: number
  rows: number
}
interface Held {
  bytes: number
}

export interface QuotaUse {
  jobs: number
  rows: number
  bytes: number
}

/** A table of another folder whose records count as stored bytes. */
export interface Holder<T = unknown> {
  table: string
  /** `held`: the bytes that are counted for the record so far. */
  bytesOf(this: void, record: T, held: number): number
}

const dayMs = 86_400_000
/** Records read in one pass of the event loop, so that requests are served in between. */
const pageRecords = 500

/** Counts what each tenant uses, in the same transactions that take and free it. */
export class QuotaLedger {
  readonly #metadata: MetadataStore
  readonly #now: () => number
  readonly #days: Table<DayUse>
  readonly #holds: Table<Held>
  readonly #totals: Table<Held>
  readonly #holders: ReadonlyArray<{ table: Table<unknown>, bytesOf: Holder['bytesOf'] }>

  constructor (metadata: MetadataStore, holders: readonly Holder[], now: () => number = Date.now) {
    this.#metadata = metadata
    this.#now = now
    this.#days = metadata.table('quotaDays')
    this.#holds = metadata.table('quotaHolds')
    this.#totals = metadata.table('quotaTotals')
    this.#holders = holders.map(({ table, bytesOf }) => ({ table: metadata.table(table), bytesOf }))
  }

  used (tenant: string): QuotaUse {
    return {
      ...this.#days.get([tenant, this.#today()])?.value ?? { jobs: 0, rows: 0 },
      bytes: this.#totals.get([tenant])?.value.bytes ?? 0
    }
  }

  /** When the day ends and its counts start again at zero. */
  resetsAtMs (): number {
    return (Math.floor(this.#now() / dayMs) + 1) * dayMs
  }

  /** Adds to what the tenant has taken today. */
  take (tx: Transaction, tenant: string, { jobs, rows }: DayUse): void {
    if (jobs === 0 && rows === 0) return
    const today = this.#today()
    const before = tx.get(this.#days, [tenant, today])?.value
    // The first use of a day deletes the counts of earlier days, which nobody needs any more.
    if (before === undefined) {
      for (const { key } of tx.range(this.#days, { prefix: [tenant] })) tx.delete(this.#days, key)
    }
    tx.put(this.#days, [tenant, today], { jobs: (before?.jobs ?? 0) + jobs, rows: (before?.rows ?? 0) + rows })
  }

  /** Like `used`, including what this transaction has written. */
  usedIn (tx: Transaction, tenant: string): QuotaUse {
    return {
      ...tx.get(this.#days, [tenant, this.#today()])?.value ?? { jobs: 0, rows: 0 },
      bytes: tx.get(this.#totals, [tenant])?.value.bytes ?? 0
    }
  }

  /** Sets the bytes of a job or object. Returns the tenant's total `before`, and by how much it has `grown`. */
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
   * Counts stored bytes again at each start: jobs and objects may have come or gone while no quotas were set. Reads
   * page by page, since there may be millions of records, and writes only counts that differ.
   */
  async countAgain (stopped: AbortSignal): Promise<void> {
    for (const table of [this.#holds, ...this.#holders.map(({ table }) => table)]) {
      let start: Key | undefined
      for (let isLast = false; !isLast;) {
        await setImmediate()
        if (stopped.aborted) return
        const page = [...table.range({ ...defined({ start }), limit: pageRecords })].map(({ key }) => key)
        const wrong = page.filter((key) => {
          const held = this.#holds.get(key)?.value.bytes ?? 0
          return held !== this.#due(key, held, (records) => records.get(key))
        })
        if (wrong.length > 0) {
          await this.#metadata.transact((tx) => {
            for (const key of wrong) {
              const [tenant, id] = key.map(String) as [string, string]
              this.hold(tx, tenant, id, this.#due(key, tx.get(this.#holds, key)?.value.bytes ?? 0, (records) =>
                tx.get(records, key)))
            }
          })
        }
        isLast = page.length < pageRecords
        start = page.at(-1)
      }
    }
  }

  /** The bytes that a job or object should count; 0 once its record is gone. */
  #due (key: Key, held: number, get: (table: Table<unknown>) => Entry<unknown> | undefined): number {
    for (const { table, bytesOf } of this.#holders) {
      const entry = get(table)
      if (entry !== undefined) return bytesOf(entry.value, held)
    }
    return 0
  }

  #today (): string {
    return new Date(this.#now()).toISOString().slice(0, 10)
  }
}
