import type { Environment } from './environment.ts'
import { checkKey, lmdbRange } from './keys.ts'
import { metadataError } from './lmdb-errors.ts'
import { MetadataError } from './metadata-error.ts'
import type { Entry, Key, KeyedEntry, RangeOptions, Table } from './metadata-store.ts'
import { decodeRecord, LazyEntry, readRevision, storedRevision } from './record.ts'

/**
 * Reads one table. Inside a transaction reads see its writes, because LMDB then reads through the write transaction.
 */
export class LmdbTable<T> implements Table<T> {
  readonly name: string
  readonly #environment: Environment

  constructor (environment: Environment, name: string) {
    this.#environment = environment
    this.name = name
    environment.database(name)
  }

  get (key: Key): Entry<T> | undefined {
    const bytes = this.#bytes(key)
    return bytes && decodeRecord<T>(this.name, key, bytes)
  }

  /** Does not decode the value; undefined if there is no record. */
  revision (key: Key): number | undefined {
    const bytes = this.#bytes(key)
    return bytes && readRevision(this.name, key, bytes)
  }

  hasRevision (key: Key, revision: number): boolean {
    checkKey(key)
    // The bytes are valid only until the next read, which saves a copy.
    const bytes = this.#guarded(() =>
      this.#environment.database(this.name).getBinaryFast(key as Array<string | number>)
    )
    return bytes !== undefined && storedRevision(bytes) === revision
  }

  /** Does not look at the content. */
  bytes (key: Key): number | undefined {
    return this.#bytes(key)?.length
  }

  /** Does not look at the content, so that a corrupt record can be deleted. */
  has (key: Key): boolean {
    checkKey(key)
    return this.#guarded(() => this.#environment.database(this.name).doesExist(key as Array<string | number>))
  }

  *range (options: RangeOptions = {}): Generator<KeyedEntry<T>, void, undefined> {
    const generation = this.#environment.generation
    const walk = this.#guarded(() =>
      this.#environment.database(this.name).getRange(lmdbRange(options))[Symbol.iterator]()
    )
    try {
      while (true) {
        // The cursor of a closed environment points to unmapped memory.
        if (this.#environment.generation !== generation) {
          throw new MetadataError('unavailable', `table ${this.name}: the store was closed during a range`)
        }
        const next = this.#guarded(() => walk.next())
        if (next.done) return
        const { key, value } = next.value
        // The encoding does not tell a key of one element from that element.
        yield new LazyEntry<T>(this.name, Array.isArray(key) ? key : [key], value)
      }
    } finally {
      if (this.#environment.generation === generation) walk.return?.()
    }
  }

  count (options: RangeOptions = {}): number {
    // LMDB walks the keys of a range, but knows the number of records of a whole table.
    const count = Object.keys(options).length === 0
      ? this.#guarded(() => (this.#environment.database(this.name).getStats() as { entryCount: number }).entryCount)
      : this.#guarded(() =>
        this.#environment.database(this.name).getKeysCount(lmdbRange({ ...options, reverse: false }))
      )
    return options.limit === undefined ? count : Math.min(count, options.limit)
  }

  #bytes (key: Key): Uint8Array | undefined {
    checkKey(key)
    return this.#guarded(() => this.#environment.database(this.name).getBinary(key as Array<string | number>))
  }

  #guarded<R> (read: () => R): R {
    try {
      return read()
    } catch (error) {
      throw metadataError(error, this.#environment.path)
    }
  }
}
