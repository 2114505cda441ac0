import type { Dirent } from 'node:fs'
import { rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from './local-errors.ts'
import { childrenOf } from './walk-folder.ts'

/**
 * Removes the objects below `folder`, and the folders that are empty afterwards. Objects written meanwhile may stay.
 * Returns how many objects it removed.
 */
export async function removeFolder (folder: string): Promise<number> {
  let removed = 0
  const children: Dirent[] = []
  // Reads a whole batch before removing anything, because some file systems skip entries if others are removed while a
  // folder is read.
  for await (const child of childrenOf(folder)) children.push(child)
  for (const child of children) {
    const path = join(folder, child.name)
    removed += child.isDirectory() ? await removeFolder(path) : await removeFile(path)
  }
  await removeEmpty(folder)
  return removed
}

/** 1 if there was such a file, else 0. */
export async function removeFile (path: string): Promise<number> {
  try {
    await unlink(path)
    return 1
  } catch (error) {
    // A folder has this name, or one of its parents is a file, so there is no such object.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EPERM')) return 0
    throw error
  }
}

/**
 * Removes `folder` and its parents as long as they are empty. The root's own children (one per tenant) stay, so that
 * they need not be made again for every job. Returns the first folder that stays.
 */
export async function removeEmptyParents (folder: string, root: string): Promise<string> {
  let at = folder
  while (at !== root && dirname(at) !== root && await removeEmpty(at)) at = dirname(at)
  return at
}

/** True if the folder is gone afterwards. */
async function removeEmpty (folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return false
    throw error
  }
}
