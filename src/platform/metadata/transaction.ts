import type { Environment } from './environment.ts'
import { checkKey } from './keys.ts'
import { metadataError } from './lmdb-errors.ts'
import { MetadataError } from './metadata-error.ts'
import type { Entry, Key, KeyedEntry, RangeOptions, Table, Transaction } from './metadata-store.ts'
import { encodeRecord } from './record.ts'
import { LmdbTable } from './table.ts'

/** The operations of one `transact` call. It must not be used after that call's function has returned. */
export class LmdbTransaction implements Transaction {
  readonly #environment: Environment
  #ended = false

  constructor (environment: Environment) {
    this.#environment = environment
  }

  end (): void {
    this.#ended = true
  }

  get<T> (table: Table<T>, key: Key): Entry<T> | undefined {
    return this.#own(table).get(key)
  }

  range<T> (table: Table<T>, options?: RangeOptions): Array<KeyedEntry<T>> {
    return [...this.#own(table).range(options)]
  }

  createIfAbsent<T> (table: Table<T>, key: Key, value: T): boolean {
    if (this.#own(table).revision(key) !== undefined) return false
    this.#write(table, key, 1, value)
    return true
  }

  putIfRevision<T> (table: Table<T>, key: Key, value: T, revision: number): boolean {
    if (this.#own(table).revision(key) !== revision) return false
    this.#write(table, key, revision + 1, value)
    return true
  }

  put<T> (table: Table<T>, key: Key, value: T): void {
    this.#write(table, key, (this.#own(table).revision(key) ?? 0) + 1, value)
  }

  delete (table: Table<unknown>, key: Key): boolean {
    if (!this.#own(table).has(key)) return false
    this.#guarded(() => this.#environment.database(table.name).removeSync(key as Array<string | number>))
    return true
  }

  #write (table: Table<unknown>, key: Key, revision: number, value: unknown): void {
    checkKey(key)
    const bytes = encodeRecord(table.name, key, revision, value)
    this.#guarded(() => this.#environment.database(table.name).putSync(key as Array<string | number>, bytes))
  }

  #own<T> (table: Table<T>): LmdbTable<T> {
    if (this.#ended) throw new MetadataError('invalid', 'the transaction has ended; its function must not keep it')
    if (!(table instanceof LmdbTable)) throw new MetadataError('invalid', `table ${table.name} is not of this store`)
    return table
  }

  #guarded<R> (write: () => R): R {
    try {
      return write()
    } catch (error) {
      throw metadataError(error, this.#environment.path)
    }
  }
}
