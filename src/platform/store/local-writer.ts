import { closeSync, existsSync, fchmodSync, fdatasync, fstatSync, open, openSync, readdirSync, renameSync, unlinkSync,
  writeFile as writeToFile, writeFileSync } from 'node:fs'
import { constants, copyFile, link, readdir, rm, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { newUlid } from '../new-ulid.ts'
import { DurableFolders, syncFolder } from './durable-folders.ts'
import { hasCode, linkRefused } from './local-errors.ts'
import type { PutFolder } from './object-store.ts'
import { StoreError } from './store-error.ts'

/** Objects never change in place: a write makes a new file. */
export const objectMode = 0o444

/** The folder of unfinished files; keys cannot begin with a dot. */
export const temporaryFolder = '.tmp'

/** Pieces up to this are written and read at once: a turn of the event loop for each step would take longer. */
export const pieceBytes = 64 * 1024

/** How often a write makes its folder again if deletions keep removing it. */
const attempts = 20

export type Source = { bytes: Uint8Array } | { path: string, move?: boolean, share?: boolean }

// With descriptors in place of file handles a close need not wait for a turn of the event loop.
const openFile = promisify(open)
const writeFile = promisify(writeToFile)
const datasync = promisify(fdatasync)

interface Staged {
  path: string
  /** The file was made here, so it may be renamed. */
  isOurs: boolean
  /** It is another name of the source. */
  isLink?: boolean
}

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
    let left: string[]
    try {
      const staged = await Promise.all(
        sources.map(async ({ name, source }) => ({ name, from: await this.#stage(source, made) }))
      )
      await this.#folders.make(folder)
      left = (await Promise.all(
        staged.map(({ name, from }) => this.#place(from, join(folder, name), made, ifAbsent))
      )).flat()
      await this.#folders.sync(folder)
    } catch (error) {
      await removeAll(made)
      throw error
    }
    await removeAll([...left, ...sources.flatMap(({ source }) => 'path' in source && source.move ? source.path : [])])
  }

  /**
   * Gives a whole folder its name below the root: one rename in place of a link for each file, and no file is removed
   * afterwards. If the folder cannot be renamed, the files are linked, or copied from another file system.
   */
  async takeFolder (to: string, folder: PutFolder): Promise<void> {
    const { path: from, names, last } = folder
    if (existsSync(from)) {
      await removeOthers(from, names)
      writeFileSync(join(from, last.name), last.bytes, { flag: 'wx', mode: objectMode })
      await Promise.all([
        ...[...names, last.name].map((name) => protectAndSync(join(from, name))),
        ...[...new Set(['.', ...names.map((name) => dirname(name))])].map((name) => syncFolder(join(from, name)))
      ])
      if (!await this.#renameFolder(from, to)) return await this.#linkFolder(to, folder)
    } else if (!existsSync(join(to, last.name))) {
      throw new StoreError('unavailable', `${from}: the folder to store is gone`)
    }
    await this.#folders.sync(dirname(to))
  }

  /** False if the folder is on another file system, or has the name of one that has files. */
  async #renameFolder (from: string, to: string): Promise<boolean> {
    for (let attempt = 1;; attempt++) {
      try {
        renameSync(from, to)
        return true
      } catch (error) {
        if (hasCode(error, 'EXDEV', 'ENOTEMPTY', 'EEXIST')) return false
        if (!hasCode(error, 'ENOENT') || attempt >= attempts) throw error
        await this.#folders.make(dirname(to))
      }
    }
  }

  async #linkFolder (to: string, { path, names, last }: PutFolder): Promise<void> {
    for (const at of new Set(names.map((name) => dirname(name)))) {
      const own = names.filter((name) => dirname(name) === at)
      await this.write(join(to, at),
        own.map((name) => ({ name: basename(name), source: { path: join(path, name), share: true } })))
    }
    await this.write(to, [{ name: last.name, source: { bytes: last.bytes } }])
  }

  async probe (): Promise<void> {
    const { path } = await this.#stage({ bytes: Buffer.from('probe') }, [])
    await unlink(path)
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

  /** A synced, read-only file. Unless the source itself becomes it, it is a new one, which is added to `made`. */
  async #stage (source: Source, made: string[]): Promise<Staged> {
    if ('bytes' in source) {
      const path = this.#newPath(made)
      await writeSynced(path, source.bytes)
      return { path, isOurs: true }
    }
    if (!source.move && !source.share) {
      await checkSource(source.path)
      return await this.#copy(source.path, made)
    }
    try {
      await protectAndSync(source.path)
      return { path: source.path, isOurs: false }
    } catch (error) {
      if (!hasCode(error, ...linkRefused)) throw error
      return await this.#copy(source.path, made)
    }
  }

  /**
   * Gives the file its name below the root. A source is linked, so that its first name still exists if a later step
   * fails, and copied if links are not possible. Returns a name that the file has besides, if it was made here.
   */
  async #place (from: Staged, to: string, made: string[], ifAbsent: boolean): Promise<string[]> {
    for (let attempt = 1;; attempt++) {
      try {
        const replaces = from.isOurs && !ifAbsent
        // Unlike a rename, a link fails if the name is taken.
        if (replaces) renameSync(from.path, to)
        else await link(from.path, to)
        // A rename over another link of the same file, as a repeated write makes it, leaves both names.
        return from.isOurs && (from.isLink || !replaces) ? [from.path] : []
      } catch (error) {
        if (!from.isOurs && hasCode(error, ...linkRefused)) {
          from = await this.#copy(from.path, made)
        } else if (!from.isOurs && !ifAbsent && hasCode(error, 'EEXIST')) {
          const path = this.#newPath(made)
          await link(from.path, path)
          from = { path, isOurs: true, isLink: true }
        } else if (hasCode(error, 'ENOENT') && attempt < attempts) {
          // A deletion removed the empty folder.
          await this.#folders.make(dirname(to))
        } else {
          throw error
        }
      }
    }
  }

  async #copy (from: string, made: string[]): Promise<Staged> {
    const path = this.#newPath(made)
    await copyFile(from, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    await protectAndSync(path)
    return { path, isOurs: true }
  }

  #newPath (made: string[]): string {
    const path = join(this.#temporary, newUlid())
    made.push(path)
    return path
  }
}

/** Of a small file only the sync is worth a turn of the event loop. */
async function writeSynced (path: string, bytes: Uint8Array): Promise<void> {
  const isSmall = bytes.length <= pieceBytes
  const file = isSmall ? openSync(path, 'wx', objectMode) : await openFile(path, 'wx', objectMode)
  try {
    if (isSmall) writeFileSync(file, bytes)
    else await writeFile(file, bytes)
    await datasync(file)
  } finally {
    closeSync(file)
  }
}

/** All but the sync takes microseconds for a file that was just written, less than a turn of the event loop does. */
async function protectAndSync (path: string): Promise<void> {
  const file = openSource(path)
  try {
    if (!fstatSync(file).isFile()) throw new StoreError('unavailable', `${path}: not a file`)
    fchmodSync(file, objectMode)
    await datasync(file)
  } finally {
    closeSync(file)
  }
}

/** Removes what does not become an object. */
async function removeOthers (folder: string, names: readonly string[], parent = ''): Promise<void> {
  await Promise.all(readdirSync(folder, { withFileTypes: true }).map(async (entry) => {
    const path = join(folder, entry.name)
    const name = parent + entry.name
    if (names.includes(name)) return
    if (!entry.isDirectory()) unlinkSync(path)
    else if (names.some((one) => one.startsWith(`${name}/`))) await removeOthers(path, names, `${name}/`)
    else await rm(path, { recursive: true, force: true })
  }))
}

/** Tells a caller's missing file apart from a missing root. */
async function checkSource (path: string): Promise<void> {
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  if (!info.isFile()) throw new StoreError('unavailable', `${path}: not a file`)
}

function openSource (path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

function unreadable (path: string, cause: unknown): StoreError {
  return new StoreError('unavailable', `${path}: the file to store cannot be read: ${(cause as Error).message}`, cause)
}

async function removeAll (paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) =>
    unlink(path).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error
    })
  ))
}
