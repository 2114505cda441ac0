import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { childrenOf } from '../store/walk-folder.ts'

/**
 * On disk: of a file with holes, such as the queue's and the record's, what it really takes. `besides`: a path that is
 * left out.
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
