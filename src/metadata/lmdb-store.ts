import { writeBackup } from './backup.ts'
import { Environment } from './environment.ts'
import { MetadataError } from './metadata-error.ts'
import type { MetadataStore, Table, Transaction } from './metadata-store.ts'
import { LmdbTable } from './table.ts'
import { LmdbTransaction } from './transaction.ts'

/** The record in LMDB. One process at a time writes; see the README for what LMDB's options are and why. */
export class LmdbStore implements MetadataStore {
  readonly #environment: Environment
  #working = false

  constructor (path: string, tables: readonly string[]) {
    this.#environment = new Environment(path, tables)
  }

  table<T> (name: string): Table<T> {
    return new LmdbTable<T>(this.#environment, name)
  }

  async transact<R> (work: (tx: Transaction) => R): Promise<R> {
    if (this.#working) throw new MetadataError('invalid', 'transact inside transact: do all of it in one function')
    return await this.#environment.commit(() => this.#run(work))
  }

  async backup (folder: string): Promise<void> {
    await writeBackup(this.#environment.root, folder)
  }

  releaseDeadReaders (): number {
    return this.#environment.root.readerCheck()
  }

  async close (): Promise<void> {
    await this.#environment.close()
  }

  #run<R> (work: (tx: Transaction) => R): R {
    const tx = new LmdbTransaction(this.#environment)
    this.#working = true
    try {
      const result = work(tx)
      if (typeof (result as { then?: unknown } | undefined)?.then === 'function') {
        throw new MetadataError('invalid', 'the function of a transaction must not be asynchronous')
      }
      return result
    } finally {
      this.#working = false
      tx.end()
    }
  }
}
