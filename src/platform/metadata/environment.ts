import { open, type RootDatabase } from 'lmdb'
import { environmentStats } from './environment-stats.ts'
import { GroupCommit } from './group-commit.ts'
import { commitFailure, metadataError } from './lmdb-errors.ts'
import { MetadataError } from './metadata-error.ts'
import type { MetadataStats } from './metadata-store.ts'
import type { RawDatabase } from './raw-database.ts'

interface Generation {
  root: RootDatabase
  databases: Map<string, RawDatabase>
}

/**
 * One LMDB environment and its databases. It is reopened when LMDB gives it up: after a failed write of its meta page
 * every call returns MDB_PANIC.
 */
export class Environment {
  readonly path: string
  readonly #tables: readonly string[]
  readonly #commits = new GroupCommit(async (group) => await this.#commitGroup(group))
  #current: Generation | undefined
  #closed = false

  constructor (path: string, tables: readonly string[]) {
    this.path = path
    this.#tables = tables
    this.#current = openGeneration(path, tables)
  }

  /** Changes with every reopening. A cursor of an earlier generation must not be touched. */
  get generation (): object | undefined {
    return this.#current
  }

  get root (): RootDatabase {
    return this.#open().root
  }

  stats (): MetadataStats {
    const { root, databases } = this.#open()
    return environmentStats(root, databases.values())
  }

  database (table: string): RawDatabase {
    const database = this.#open().databases.get(table)
    if (!database) throw new MetadataError('invalid', `no such table: ${table}`)
    return database
  }

  /** Runs `work` in a transaction that rolls back if it throws. Resolves with its result when the commit is on disk. */
  async commit<R> (work: () => R, lane?: string): Promise<R> {
    if (this.#closed) throw this.#notOpen()
    return await this.#commits.run(work, lane)
  }

  async probe (): Promise<void> {
    if (this.#closed) throw this.#notOpen()
    await this.#commits.probe()
  }

  async barrier (): Promise<void> {
    if (this.#closed) throw this.#notOpen()
    await this.#commits.barrier()
  }

  async close (): Promise<void> {
    this.#closed = true
    await this.#commits.idle()
    const generation = this.#current
    this.#current = undefined
    await generation?.root.close()
  }

  /**
   * LMDB child transactions of one turn of the event loop share a commit. Unlike `transaction`, they roll back when
   * they throw. Without overlapping sync their promises resolve after fdatasync and the meta page.
   */
  async #commitGroup (group: ReadonlyArray<() => unknown>): Promise<Array<PromiseSettledResult<unknown>>> {
    // If the last reopening failed, each commit tries again.
    const generation = this.#current ??= openGeneration(this.path, this.#tables)
    const results = await Promise.allSettled(group.map((work) => generation.root.childTransaction(work)))
    const commitError = results.map(commitErrorOf).find((error) => error !== undefined)
    if (!commitError) return results
    const failure = await commitFailure(await commitError.catch((cause: unknown) => cause), this.path)
    if (hasPanicked(generation)) await this.#reopen(generation)
    return results.map(() => ({ status: 'rejected', reason: failure }))
  }

  async #reopen (generation: Generation): Promise<void> {
    this.#current = undefined
    await generation.root.close()
    this.#current = openGeneration(this.path, this.#tables)
  }

  #open (): Generation {
    if (!this.#current) throw this.#notOpen()
    return this.#current
  }

  #notOpen (): MetadataError {
    return new MetadataError('unavailable',
      `${this.path}: the metadata store is ${this.#closed ? 'closed' : 'being opened again after a failed write'}`)
  }
}

function openGeneration (path: string, tables: readonly string[]): Generation {
  try {
    // With overlapping sync (the default), a commit whose fdatasync failed stays visible to readers and `flushed` never
    // settles, and a power cut may keep the new meta page without its pages. Event turn batching creates a promise for
    // every commit that nobody handles, so a full disk would end the process with an unhandled rejection. Transactions
    // share commits without it. The data are bytes, which record.ts encodes.
    const root = open({ path, maxDbs: 64, overlappingSync: false, eventTurnBatching: false, encoding: 'binary' })
    const databases = new Map(
      tables.map((name) => [name, root.openDB<Uint8Array, Array<string | number>>({ name, encoding: 'binary' })])
    )
    return { root, databases }
  } catch (error) {
    throw metadataError(error, path)
  }
}

/** The rejection of LMDB itself if the commit failed, as opposed to an error of the transaction's function. */
function commitErrorOf (result: PromiseSettledResult<unknown>): Promise<never> | undefined {
  return result.status === 'rejected'
    ? (result.reason as { commitError?: Promise<never> } | undefined)?.commitError
    : undefined
}

function hasPanicked ({ root }: Generation): boolean {
  try {
    // An open read transaction would not notice the change.
    root.resetReadTxn()
    root.doesExist('any')
    return false
  } catch {
    return true
  }
}
