import { mkdir } from 'node:fs/promises'
import { checkMetadata } from './check-metadata.ts'
import { takeClosedMark } from './closed-mark.ts'
import { metadataError } from './lmdb-errors.ts'
import { LmdbStore } from './lmdb-store.ts'
import type { MetadataOptions, MetadataStore } from './metadata-store.ts'
import { metaTable, migrate } from './schema-version.ts'

/**
 * Opens the folder, or creates it. Reads all of it unless it is unchanged since it was closed. Throws `damaged` or
 * `newer` with what to do about it, and `unavailable` if the file system refuses. The caller ensures that one process
 * at a time has the folder open for writing.
 */
export async function openMetadata (options: MetadataOptions): Promise<MetadataStore> {
  const { path, tables, migrations = [], check = true } = options
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw metadataError(error, path)
  })
  const isAsClosed = await takeClosedMark(path).catch((error: unknown) => {
    throw metadataError(error, path)
  })
  if (check && !isAsClosed) await checkMetadata(path)
  const store = new LmdbStore(path, [metaTable, ...tables], { isSound: check })
  try {
    store.releaseDeadReaders()
    await migrate(store, path, migrations)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
