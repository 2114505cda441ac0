import { closeSync, open as openPath, readFile, readFileSync } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { syncFolder } from './durable-folders.ts'
import { hasCode, storeError } from './local-errors.ts'
import { assertObject, linkOrCopy, readRange, statObject, statOpen } from './local-reads.ts'
import { LocalWriter, pieceBytes, temporaryFolder, type Source } from './local-writer.ts'
import { checkFolderKeys, checkKey, checkPrefix } from './object-key.ts'
import type { ByteRange, ListedObject, ListOptions, ObjectInfo, ObjectRead, ObjectStore, PutFileOptions, PutFolder,
  SignedGetOptions, SignedPut, SignedPutOptions } from './object-store.ts'
import { removeEmptyParents, removeFile, removeFolder } from './remove-folder.ts'
import { signedGetUrl, signedPut } from './signed-url.ts'
import { StoreError } from './store-error.ts'
import { walkFolder } from './walk-folder.ts'

export interface LocalStoreOptions {
  /**
   * Folder of the objects; it is created if it does not exist. All processes that share it must see one file system.
   */
  root: string
  /** 32 bytes; only processes that sign download addresses need it. */
  signingSecret?: Uint8Array
}

// A descriptor is closed without a turn of the event loop.
const openFile = promisify(openPath)
const readWhole = promisify(readFile)

/** Objects as read-only files, with the key as the path below the root. */
export class LocalStore implements ObjectStore {
  readonly #root: string
  readonly #signingSecret: Uint8Array | undefined
  readonly #writer: LocalWriter

  static async open (options: LocalStoreOptions): Promise<LocalStore> {
    const root = resolve(options.root)
    try {
      await mkdir(join(root, temporaryFolder), { recursive: true, mode: 0o700 })
      await syncFolder(dirname(root))
    } catch (error) {
      throw new StoreError('unavailable', `${root}: ${(error as Error).message}`, error)
    }
    return new LocalStore(root, options.signingSecret)
  }

  private constructor (root: string, signingSecret: Uint8Array | undefined) {
    this.#root = root
    this.#signingSecret = signingSecret
    this.#writer = new LocalWriter(root)
  }

  /** A disk finishes its work before a signal could abort it. */
  within (): ObjectStore {
    return this
  }

  async putFile (key: string, path: string, { ifAbsent, ...how }: PutFileOptions = {}): Promise<void> {
    try {
      await this.#put(key, { path, ...how }, ifAbsent)
    } catch (error) {
      if (error instanceof StoreError && hasCode(error.cause, 'EEXIST')) {
        throw new StoreError('exists', `${key} is there already`, error.cause)
      }
      throw error
    }
  }

  async putBytes (key: string, bytes: Uint8Array): Promise<void> {
    await this.#put(key, { bytes })
  }

  async putFolder (prefix: string, folder: PutFolder): Promise<void> {
    checkFolderKeys(prefix, folder)
    await this.#guarded(prefix, () => this.#writer.takeFolder(this.#folder(prefix.slice(0, -1)), folder), 'unavailable')
  }

  async getToFile (key: string, path: string): Promise<void> {
    const source = this.#path(key)
    const { mode } = await this.#guarded(key, () => statObject(source))
    try {
      await linkOrCopy(source, path, mode)
    } catch (cause) {
      if (hasCode(cause, 'ENOSPC', 'EDQUOT', 'EFBIG')) throw storeError(cause, key)
      // Either the object or the target's folder vanished. Trying again shows which.
      throw new StoreError('unavailable', `${key} was not copied to ${path}: ${(cause as Error).message}`, cause)
    }
  }

  async pathOf (key: string): Promise<string> {
    const path = this.#path(key)
    await this.#guarded(key, async () => assertObject(path))
    return path
  }

  async getBytes (key: string, maxBytes: number): Promise<Uint8Array> {
    const path = this.#path(key)
    return await this.#guarded(key, async () => {
      const file = await openFile(path, 'r')
      try {
        const { size } = statOpen(file)
        if (size > maxBytes) throw new StoreError('too_large', `${key} has ${size} bytes, more than ${maxBytes}`)
        return size > pieceBytes ? await readWhole(file) : readFileSync(file)
      } finally {
        closeSync(file)
      }
    })
  }

  async openRead (key: string, range?: ByteRange): Promise<ObjectRead> {
    const path = this.#path(key)
    return await this.#guarded(key, async () => {
      const handle = await open(path, 'r')
      try {
        const { size } = statOpen(handle.fd)
        return await readRange(handle, key, size, range)
      } catch (error) {
        await handle.close()
        throw error
      }
    })
  }

  async stat (key: string): Promise<ObjectInfo | undefined> {
    const path = this.#path(key)
    try {
      const { size, mtimeMs } = await this.#guarded(key, () => statObject(path))
      return { bytes: size, modifiedMs: mtimeMs }
    } catch (error) {
      if (error instanceof StoreError && error.code === 'not_found') return undefined
      throw error
    }
  }

  async *list (prefix: string,
    { maxSegments = Infinity }: ListOptions = {}): AsyncGenerator<ListedObject, void, undefined> {
    if (prefix !== '') checkPrefix(prefix)
    try {
      await this.#checkRoot()
      yield* walkFolder(this.#folder(prefix), prefix, maxSegments - 1)
    } catch (error) {
      throw storeError(error, prefix)
    }
  }

  async deleteKey (key: string): Promise<void> {
    const path = this.#path(key)
    await this.#guarded(key, async () => {
      if (await removeFile(path) === 0) return await this.#checkRoot()
      await this.#syncDeletion(dirname(path))
    })
  }

  async deletePrefix (prefix: string): Promise<number> {
    checkPrefix(prefix)
    const folder = this.#folder(prefix)
    return await this.#guarded(prefix, async () => {
      const removed = await removeFolder(folder)
      if (removed === 0) await this.#checkRoot()
      else await this.#syncDeletion(folder)
      return removed
    })
  }

  signGet (key: string, options: SignedGetOptions): string {
    return signedGetUrl(this.#secret(), key, options, Date.now())
  }

  signPut (key: string, options: SignedPutOptions): SignedPut {
    return signedPut(this.#secret(), key, options, Date.now())
  }

  #secret (): Uint8Array {
    if (!this.#signingSecret) throw new TypeError('the store was opened without a signing secret')
    return this.#signingSecret
  }

  async probe (): Promise<void> {
    await this.#guarded('probe', () => this.#writer.probe(), 'unavailable')
  }

  async sweepUnfinished (olderThanMs: number): Promise<number> {
    return await this.#guarded(temporaryFolder, () => this.#writer.sweep(olderThanMs), 'unavailable')
  }

  async #put (key: string, source: Source, ifAbsent = false): Promise<void> {
    const path = this.#path(key)
    await this.#guarded(key, () => this.#writer.write(dirname(path), [{ name: basename(path), source }], { ifAbsent }),
      'unavailable')
  }

  #path (key: string): string {
    checkKey(key)
    return join(this.#root, key)
  }

  #folder (prefix: string): string {
    return join(this.#root, prefix)
  }

  /** Removes the folders that a deletion left empty, and makes the deletion durable. */
  async #syncDeletion (folder: string): Promise<void> {
    const remaining = await removeEmptyParents(folder, this.#root)
    await syncFolder(remaining).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error
    })
  }

  /** Turns file system errors into StoreErrors. `missing`: the meaning of a missing file while the root exists. */
  async #guarded<R> (key: string, work: () => Promise<R>,
    missing: 'not_found' | 'unavailable' = 'not_found'): Promise<R> {
    try {
      return await work()
    } catch (error) {
      const reading = missing === 'not_found'
      // If there is an object in the place of one of the key's folders, then the key has no object.
      if (!hasCode(error, 'ENOENT') && !(reading && hasCode(error, 'ENOTDIR'))) throw storeError(error, key)
      await this.#checkRoot()
      throw new StoreError(missing, reading ? `no object ${key}` : `${key}: its folder keeps vanishing`, error)
    }
  }

  /** An unmounted disk must not look like a store without objects. */
  async #checkRoot (): Promise<void> {
    try {
      await stat(join(this.#root, temporaryFolder))
    } catch (cause) {
      throw new StoreError('unavailable', `${this.#root}: the store's folder is gone: ${(cause as Error).message}`,
        cause)
    }
  }
}
