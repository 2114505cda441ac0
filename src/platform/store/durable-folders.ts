import { closeSync, fsync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from './local-errors.ts'

/** How many folders are remembered; tenants' folders come again and again, runs' folders never do. */
const remembered = 10_000

/**
 * Remembers the folders whose own entry in their parent is on disk. The entry of a folder that another process made may
 * not be there yet, so each process syncs the parents of a folder the first time that it writes below it.
 */
export class DurableFolders {
  readonly #root: string
  readonly #known = new Set<string>()

  constructor (root: string) {
    this.#root = root
  }

  /**
   * Makes the folder and its parents below the root. Throws ENOENT if the root is gone, or a parent was removed
   * meanwhile.
   */
  async make (folder: string): Promise<void> {
    if (folder === this.#root || this.#makeOne(folder)) return
    await this.make(dirname(folder))
    if (!this.#makeOne(folder)) {
      throw Object.assign(new Error(`${folder}: its parent is gone`), { code: 'ENOENT' })
    }
  }

  /** Resolves when the entries of this folder, and those on the way to it from the root, are on disk. */
  async sync (folder: string): Promise<void> {
    const unknown: string[] = []
    for (let at = folder; at !== this.#root && !this.#known.has(at); at = dirname(at)) unknown.push(at)
    await Promise.all([folder, ...unknown.map((at) => dirname(at))].map(syncFolder))
    if (this.#known.size + unknown.length > remembered) this.#known.clear()
    for (const at of unknown) this.#known.add(at)
  }

  /** False if the parent is missing. */
  #makeOne (folder: string): boolean {
    try {
      mkdirSync(folder)
      this.#known.delete(folder)
      return true
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return true
      if (hasCode(error, 'ENOENT')) return false
      throw error
    }
  }
}

const sync = promisify(fsync)

/** A folder that was just written to is in memory, so only its sync takes long enough to be waited for. */
export async function syncFolder (folder: string): Promise<void> {
  const file = openSync(folder, 'r')
  try {
    await sync(file)
  } finally {
    closeSync(file)
  }
}
