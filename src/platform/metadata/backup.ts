import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { metadataError } from './lmdb-errors.ts'
import { MetadataError } from './metadata-error.ts'

/**
 * Copies the newest committed state, compacted, into `folder`, which must not exist. The folder appears whole or not at
 * all.
 */
export async function writeBackup (root: RootDatabase, folder: string): Promise<void> {
  const target = resolve(folder)
  const partial = `${target}.partial`
  try {
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial, { recursive: true, mode: 0o700 })
    await root.backup(partial, true)
    await sync(join(partial, 'data.mdb'))
    await sync(partial)
    await publish(partial, target)
    await sync(dirname(target))
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw metadataError(error, target)
  }
}

async function publish (partial: string, target: string): Promise<void> {
  try {
    // Replaces an empty folder, but not one with content.
    await rename(partial, target)
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw new MetadataError('invalid', `${target}: there is something at this place; a backup needs a new folder`,
        error)
    }
    throw error
  }
}

/** Syncs a file or a folder to disk. */
async function sync (path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
