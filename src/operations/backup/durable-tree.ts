import { chmod, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../platform/store/durable-folders.ts'

/**
 * Syncs everything below `folder` to disk and makes it private to its owner. Read-only files (objects) keep their mode,
 * because they may be hard links to those of a store.
 */
export async function settleTree (folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await settleTree(path)
    else await settleFile(path)
  }
  await syncFolder(folder)
}

async function settleFile (path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    const { mode } = await handle.stat()
    if ((mode & 0o222) !== 0) await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
