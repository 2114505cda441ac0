import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { KeyRecord, KeyUse } from './key-record.ts'

const minuteMs = 60_000
/** The most uses that one transaction writes, so that other work gets its turn. */
const notedAtOnce = 200

/** The last use of each key. A use stays in memory until `record` writes it. */
export class KeyUses {
  readonly #metadata: MetadataStore
  readonly #keys: Table<KeyRecord>
  readonly #uses: Table<KeyUse>
  readonly #pending = new Map<string, number>()

  constructor (metadata: MetadataStore) {
    this.#metadata = metadata
    this.#keys = metadata.table<KeyRecord>('keys')
    this.#uses = metadata.table<KeyUse>('keyUses')
  }

  note (id: string, atMs: number): void {
    this.#pending.set(id, atMs)
  }

  /** As recorded; null: never. */
  lastOf (id: string): number | null {
    return this.#uses.get([id])?.value.lastUsedAtMs ?? null
  }

  async record (): Promise<void> {
    if (this.#pending.size === 0) return
    const noted = [...this.#pending]
    this.#pending.clear()
    for (let at = 0; at < noted.length; at += notedAtOnce) {
      await this.#metadata.transact((tx) => this.#write(tx, noted.slice(at, at + notedAtOnce)))
    }
  }

  forget (tx: Transaction, id: string): void {
    tx.delete(this.#uses, [id])
  }

  #write (tx: Transaction, noted: Array<[string, number]>): void {
    for (const [id, atMs] of noted) {
      // The use of a forgotten key would stay for ever.
      if (tx.get(this.#keys, [id]) === undefined) continue
      const lastUsedAtMs = Math.floor(atMs / minuteMs) * minuteMs
      if (tx.get(this.#uses, [id])?.value.lastUsedAtMs !== lastUsedAtMs) tx.put(this.#uses, [id], { lastUsedAtMs })
    }
  }
}
