import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './local-errors.ts'
import type { ListedObject } from './object-store.ts'

/** The objects below `folder` in the order of their keys, one folder in memory at a time. `prefix` is the folder's key with `/`. */
export async function * walkFolder (folder: string, prefix: string): AsyncGenerator<ListedObject, void, undefined> {
  for (const child of await sortedChildren(folder)) {
    const { name } = child
    if (child.isDirectory()) {
      yield * walkFolder(join(folder, name), `${prefix}${name}/`)
      continue
    }
    try {
      const { size, mtimeMs } = await lstat(join(folder, name))
      yield { key: prefix + name, bytes: size, modifiedMs: mtimeMs }
    } catch (error) {
      // Deleted meanwhile.
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }
}

/** By the bytes that their keys begin with: a folder's keys sort as if its name ended with `/`. */
async function sortedChildren (folder: string): Promise<Dirent[]> {
  const children = await childrenOf(folder)
  return children
    .filter((child) => !child.name.startsWith('.') && (child.isFile() || child.isDirectory()))
    .map((child) => ({ child, sortBytes: Buffer.from(child.isDirectory() ? `${child.name}/` : child.name) }))
    .sort((a, b) => Buffer.compare(a.sortBytes, b.sortBytes))
    .map(({ child }) => child)
}

/** None when the folder does not exist, or is an object. */
export async function childrenOf (folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}
