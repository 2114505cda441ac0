import type { MetadataStore, Table, Transaction } from '../metadata/metadata-store.ts'
import type { ObjectStore } from './object-store.ts'

interface UsedBytesOptions<Sweep> {
  metadata: MetadataStore
  /** Table with the key (id, job id): a job that has not ended uses the bytes of that id. */
  uses: string
  /** Table with the key (time, key): bytes to delete at that time, unless a job uses them. */
  sweeps: string
  sweepOf: (id: string) => Sweep
  idOf: (sweep: Sweep) => string
  /** Called in the transaction that takes a sweep off the table. */
  onSwept?: (tx: Transaction, sweep: Sweep) => void
  /** Wall clock, milliseconds. */
  now: () => number
}

/** How many are deleted side by side; they share their commits. */
const atOnce = 20

/**
 * Bytes that belong to a record and outlive it while jobs use them. Due deletions are in tables, so a restart loses
 * nothing.
 */
export class UsedBytes<Use, Sweep> {
  readonly uses: Table<Use>
  readonly #sweeps: Table<Sweep>
  readonly #options: UsedBytesOptions<Sweep>

  constructor (options: UsedBytesOptions<Sweep>) {
    this.#options = options
    this.uses = options.metadata.table(options.uses)
    this.#sweeps = options.metadata.table(options.sweeps)
  }

  isUsed (tx: Transaction, id: string): boolean {
    return tx.range(this.uses, { prefix: [id], limit: 1 }).length > 0
  }

  schedule (tx: Transaction, dueMs: number, key: string, id: string, more: Partial<Sweep> = {}): void {
    tx.put(this.#sweeps, [dueMs, key], { ...this.#options.sweepOf(id), ...more })
  }

  /**
   * Call it when the job has ended. If it was the last one and the record is gone, the bytes become due for deletion.
   */
  release (tx: Transaction, { id, jobId, key }: { id: string, jobId: string, key: string },
    isRecorded: () => boolean): void {
    if (!tx.delete(this.uses, [id, jobId]) || this.isUsed(tx, id) || isRecorded()) return
    this.schedule(tx, this.#options.now(), key, id)
  }

  /** Deletes up to `limit` of the due bytes. If the store fails to delete some now, they stay due. */
  async sweep (store: ObjectStore, limit: number): Promise<void> {
    for (let left = limit; left > 0; left -= atOnce) {
      const due = [...this.#sweeps.range({ end: [this.#options.now() + 1], limit: Math.min(left, atOnce) })]
      const ends = await Promise.allSettled(
        due.map(({ key: [dueMs, key] }) => this.#sweepOne(store, [Number(dueMs), String(key)]))
      )
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      if (due.length < atOnce) return
    }
  }

  async #sweepOne (store: ObjectStore, entry: readonly [number, string]): Promise<void> {
    if (!await this.#mayGo(entry)) return
    await store.deleteKey(entry[1])
    await this.#options.metadata.transact((tx) => this.#swept(tx, entry))
  }

  /** If a job uses the bytes, the entry is dropped: the end of the job adds a new one. */
  async #mayGo (entry: readonly [number, string]): Promise<boolean> {
    return await this.#options.metadata.transact((tx) => {
      const sweep = tx.get(this.#sweeps, entry)?.value
      if (sweep === undefined) return false
      if (!this.isUsed(tx, this.#options.idOf(sweep))) return true
      this.#swept(tx, entry)
      return false
    })
  }

  #swept (tx: Transaction, entry: readonly [number, string]): void {
    const sweep = tx.get(this.#sweeps, entry)?.value
    if (sweep === undefined) return
    tx.delete(this.#sweeps, entry)
    this.#options.onSwept?.(tx, sweep)
  }
}
