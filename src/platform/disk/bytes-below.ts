import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { childrenOf } from '../store/walk-folder.ts'

/**
 * Bytes on disk: a file with holes, such as the queue's or the record's, counts only the blocks that it occupies.
 * `besides`: a path to leave out.
 */
export async function bytesBelow (folder: string, besides?: string): Promise<number> {
  let bytes = 0
  for await (const child of childrenOf(folder)) {
    const path = join(folder, child.name)
    if (path === besides) continue
    if (child.isDirectory()) bytes += await bytesBelow(path, besides)
    else if (child.isFile()) bytes += await lstat(path).then(({ blocks }) => blocks * 512, ifGone)
  }
  return bytes
}

function ifGone (error: NodeJS.ErrnoException): number {
  if (error.code === 'ENOENT') return 0
  throw error
}
