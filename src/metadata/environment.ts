import { open, type Database, type RootDatabase } from 'lmdb'
import { metadataError } from './lmdb-errors.ts'
import { MetadataError } from './metadata-error.ts'

export type RawDatabase = Database<Uint8Array, Array<string | number>>

interface Generation {
  root: RootDatabase
  databases: Map<string, RawDatabase>
  /** Rejects when the environment had to be given up; commits that LMDB then never answers end with it. */
  lost: Promise<never>
  lose: (error: MetadataError) => void
}

/**
 * One LMDB environment and its databases, opened again when LMDB gives it up: after a failed write of its meta page every
 * call answers MDB_PANIC, and commits that wait are never answered.
 */
export class Environment {
  readonly path: string
  readonly #tables: readonly string[]
  #current: Generation | undefined
  #reopening: Promise<void> | undefined

  constructor (path: string, tables: readonly string[]) {
    this.path = path
    this.#tables = tables
    this.#current = openGeneration(path, tables)
  }

  /** Changes with every reopening: a cursor of an earlier generation must not be touched. */
  get generation (): object | undefined {
    return this.#current
  }

  get root (): RootDatabase {
    return this.#open().root
  }

  database (table: string): RawDatabase {
    const database = this.#open().databases.get(table)
    if (!database) throw new MetadataError('invalid', `no such table: ${table}`)
    return database
  }

  /**
   * Runs `work` in an LMDB child transaction, which unlike `transaction` rolls back when it throws, and shares the commit
   * with other work of the same moment. Without overlapping sync the promise resolves after fdatasync and the meta page.
   */
  async commit<R> (work: () => R): Promise<R> {
    await this.#reopening
    const generation = this.#open()
    try {
      return await Promise.race([generation.root.childTransaction(work), generation.lost])
    } catch (error) {
      const commitError = (error as { commitError?: Promise<never> } | undefined)?.commitError
      if (!commitError) throw error
      const reason = await commitError.catch((cause: unknown) => cause)
      const failure = metadataError(reason, this.path)
      if (this.#current === generation && hasPanicked(generation)) this.#reopen(generation, failure)
      throw failure
    }
  }

  async close (): Promise<void> {
    await this.#reopening
    const generation = this.#current
    this.#current = undefined
    await generation?.root.close()
  }

  #open (): Generation {
    if (!this.#current) throw new MetadataError('unavailable', `${this.path}: the metadata store is closed`)
    return this.#current
  }

  #reopen (generation: Generation, failure: MetadataError): void {
    this.#current = undefined
    generation.lose(failure)
    this.#reopening = generation.root.close()
      .then(() => { this.#current = openGeneration(this.path, this.#tables) })
      .finally(() => { this.#reopening = undefined })
    // Every call fails with "closed" when this did; the failure itself went to the commits that caused it.
    this.#reopening.catch(() => undefined)
  }
}

function openGeneration (path: string, tables: readonly string[]): Generation {
  try {
    // With overlapping sync (the default) a commit whose fdatasync failed stays visible to readers and `flushed` never
    // settles, and a power cut may keep the new meta page without its pages. The data are bytes: record.ts encodes them.
    const root = open({ path, maxDbs: 32, overlappingSync: false, encoding: 'binary' })
    const databases = new Map(tables.map((name) => [name, root.openDB<Uint8Array, Array<string | number>>({ name, encoding: 'binary' })]))
    let lose: Generation['lose'] = () => undefined
    const lost = new Promise<never>((_resolve, reject) => { lose = reject })
    lost.catch(() => undefined)
    return { root, databases, lost, lose }
  } catch (error) {
    throw metadataError(error, path)
  }
}

function hasPanicked ({ root }: Generation): boolean {
  try {
    root.doesExist('any')
    return false
  } catch {
    return true
  }
}
