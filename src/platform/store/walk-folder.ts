import type { Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './local-errors.ts'
import type { ListedObject } from './object-store.ts'

/**
 * The objects below `folder`, in no particular order. `prefix` is the folder's key with `/`. Folders more than `levels`
 * down are not opened.
 */
export async function* walkFolder (folder: string, prefix: string,
  levels = Infinity): AsyncGenerator<ListedObject, void, undefined> {
  for await (const child of childrenOf(folder)) {
    const { name } = child
    if (name.startsWith('.')) continue
    if (child.isDirectory()) {
      if (levels > 0) yield* walkFolder(join(folder, name), `${prefix}${name}/`, levels - 1)
      continue
    }
    if (!child.isFile()) continue
    try {
      const { size, mtimeMs } = await lstat(join(folder, name))
      yield { key: prefix + name, bytes: size, modifiedMs: mtimeMs }
    } catch (error) {
      // It was deleted meanwhile.
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }
}

/**
 * Reads in batches, because a folder has as many entries as a tenant has objects. Gives nothing if the folder does not
 * exist, or is an object.
 */
export async function* childrenOf (folder: string): AsyncGenerator<Dirent, void, undefined> {
  try {
    for await (const child of await opendir(folder)) yield child
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
  }
}
