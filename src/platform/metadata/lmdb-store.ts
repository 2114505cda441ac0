import { writeBackup } from './backup.ts'
import { leaveClosedMark } from './closed-mark.ts'
import { Environment } from './environment.ts'
import { MetadataError } from './metadata-error.ts'
import type { MetadataStats, MetadataStore, Table, Transaction } from './metadata-store.ts'
import { LmdbTable } from './table.ts'
import { LmdbTransaction } from './transaction.ts'

/** The record in LMDB. Only one process at a time may write. The README explains LMDB's options. */
export class LmdbStore implements MetadataStore {
  readonly #environment: Environment
  readonly #isSound: boolean
  readonly #tables: readonly string[]
  #working = false

  /** `isSound`: the folder was found in order on opening, so closing may mark it as such. */
  constructor (path: string, tables: readonly string[], { isSound }: { isSound: boolean }) {
    this.#environment = new Environment(path, tables)
    this.#isSound = isSound
    this.#tables = tables
  }

  table<T> (name: string): Table<T> {
    return new LmdbTable<T>(this.#environment, name)
  }

  async transact<R> (work: (tx: Transaction) => R, lane?: string): Promise<R> {
    if (this.#working) throw new MetadataError('invalid', 'transact inside transact: do all of it in one function')
    return await this.#environment.commit(() => this.#run(work), lane)
  }

  async probe (): Promise<void> {
    await this.#environment.probe()
  }

  async barrier (): Promise<void> {
    await this.#environment.barrier()
  }

  async backup (folder: string): Promise<void> {
    await writeBackup(this.#environment.root, folder)
  }

  releaseDeadReaders (): number {
    return this.#environment.root.readerCheck()
  }

  stats (): MetadataStats {
    return this.#environment.stats()
  }

  async close (): Promise<void> {
    await this.#environment.close()
    if (this.#isSound) await leaveClosedMark(this.#environment.path)
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
