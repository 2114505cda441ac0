import type { Entry, Key, Table } from '../../platform/metadata/metadata-store.ts'

/**
 * A cache of decoded records. Clients poll a job many times between two changes, and decoding costs more than the rest
 * of the answer. The revision is looked at in the table each time, so nothing has to be invalidated; it identifies the
 * value because keys with unique ids are never reused. Values are shared and must not be changed.
 */
export class RecentRecords<T> {
  readonly #table: Table<T>
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #recent = new Map<string, Entry<T>>()
  #bytes = 0

  /** `maxBytes`: the stored size of all cached records. */
  constructor (table: Table<T>, { maxEntries = 2000, maxBytes = 8 * 2 ** 20 } = {}) {
    this.#table = table
    this.#maxEntries = maxEntries
    this.#maxBytes = maxBytes
  }

  get (key: Key): T | undefined {
    return this.entry(key)?.value
  }

  /** The record if it is cached. A transaction may still fail, so what it reads is not cached. */
  known (key: Key): T | undefined {
    const known = this.#recent.get(key.join('\0'))
    return known !== undefined && this.#table.hasRevision(key, known.revision) ? known.value : undefined
  }

  entry (key: Key): Entry<T> | undefined {
    const name = key.join('\0')
    const known = this.#recent.get(name)
    if (known !== undefined && this.#table.hasRevision(key, known.revision)) return known
    this.#forget(name)
    const entry = this.#table.get(key)
    if (entry === undefined) return undefined
    this.#recent.set(name, entry)
    this.#bytes += entry.bytes
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) break
      this.#forget(oldest)
    }
    return entry
  }

  /** The size of the record as it is stored, or was when it was cached, which saves a look-up. */
  bytes (key: Key): number | undefined {
    return this.#recent.get(key.join('\0'))?.bytes ?? this.#table.bytes(key)
  }

  #forget (name: string): void {
    this.#bytes -= this.#recent.get(name)?.bytes ?? 0
    this.#recent.delete(name)
  }
}
