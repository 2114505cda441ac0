import { chmod, constants, copyFile, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ulid } from 'ulid'
import { DurableFolders } from './durable-folders.ts'
import { hasCode, linkRefused } from './local-errors.ts'
import { StoreError } from './store-error.ts'

/** Objects never change in place: a write makes a new file. */
export const objectMode = 0o444

/** The folder of unfinished files; keys cannot begin with a dot. */
export const temporaryFolder = '.tmp'

/** How often a write makes its folder again if deletions keep removing it. */
const attempts = 20

export type Source = { bytes: Uint8Array } | { path: string, move?: boolean, share?: boolean }

/** Writes files below `root` so that they appear whole, and are on disk when the promise resolves. */
export class LocalWriter {
  readonly #root: string
  readonly #temporary: string
  readonly #folders: DurableFolders

  constructor (root: string) {
    this.#root = root
    this.#temporary = join(root, temporaryFolder)
    this.#folders = new DurableFolders(root)
  }

  /** Writes all files into one folder, whose entries are synced once. */
  async write (folder: string, sources: ReadonlyArray<{ name: string, source: Source }>,
    { ifAbsent = false } = {}): Promise<void> {
    const made: string[] = []
    try {
      const staged = await Promise.all(
        sources.map(async ({ name, source }) => ({ name, from: await this.#stage(source, made) }))
      )
      await Promise.all(staged.map(({ name, from }) => this.#place(from, join(folder, name), ifAbsent)))
      await this.#folders.sync(folder)
    } catch (error) {
      await removeAll(made)
      throw error
    }
    const moved = sources.flatMap(({ source }) => 'path' in source && source.move ? [source.path] : [])
    const isShared = sources.some(({ source }) => 'path' in source && source.share)
    // Renaming over another link of the same file, as a repeated move does, leaves both names. So does publishing by a
    // link. The extra names are removed.
    if (moved.length > 0 || isShared || ifAbsent) await removeAll([...moved, ...made])
  }

  async probe (): Promise<void> {
    const path = await this.#stage({ bytes: Buffer.from('probe') }, [])
    await rm(path)
  }

  async sweep (olderThanMs: number): Promise<number> {
    let removed = 0
    for (const name of await readdir(this.#temporary)) {
      const path = join(this.#temporary, name)
      const info = await stat(path).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error
      })
      if (!info || Date.now() - info.mtimeMs < olderThanMs) continue
      await rm(path, { force: true })
      removed++
    }
    return removed
  }

  /** Makes a synced, read-only file on the root's file system, and adds it to `made`. */
  async #stage (source: Source, made: string[]): Promise<string> {
    const path = join(this.#temporary, ulid())
    made.push(path)
    if ('bytes' in source) await writeSynced(path, source.bytes)
    else if (source.move || source.share) await linkSynced(source.path, path)
    else await copySynced(source.path, path)
    return path
  }

  async #place (from: string, to: string, ifAbsent: boolean): Promise<void> {
    for (let attempt = 1;; attempt++) {
      try {
        await this.#folders.make(dirname(to))
        // Unlike a rename, a link fails if the name is taken.
        await (ifAbsent ? link(from, to) : rename(from, to))
        return
      } catch (error) {
        // A deletion removed the empty folder between the two steps.
        if (!hasCode(error, 'ENOENT') || attempt === attempts) throw error
      }
    }
  }
}

async function writeSynced (path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', objectMode)
  try {
    await handle.writeFile(bytes)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** Links the file, so that the first name still exists if a later step fails; copies it if links are not possible. */
async function linkSynced (from: string, to: string): Promise<void> {
  await checkSource(from)
  try {
    await link(from, to)
    await protectAndSync(to)
  } catch (error) {
    if (!hasCode(error, ...linkRefused)) throw error
    await copySynced(from, to)
  }
}

async function copySynced (from: string, to: string): Promise<void> {
  await checkSource(from)
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await protectAndSync(to)
}

async function protectAndSync (path: string): Promise<void> {
  await chmod(path, objectMode)
  const handle = await open(path, 'r')
  try {
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** Tells a caller's missing file apart from a missing root. */
async function checkSource (path: string): Promise<void> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new StoreError('unavailable', `${path}: the file to store cannot be read: ${(cause as Error).message}`, cause)
  })
  if (!info.isFile()) throw new StoreError('unavailable', `${path}: not a file`)
}

async function removeAll (paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })))
}
