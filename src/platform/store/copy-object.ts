import { constants, copyFile, link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode, linkRefused } from './local-errors.ts'
import { checkKey } from './object-key.ts'

/**
 * Copies one object of a local store below another root; false if there is no such object. With `mayLink` the copy is a
 * hard link if both roots are on one file system. That is safe, because a store replaces and removes the files of
 * objects but never writes into one.
 */
export async function copyObject (fromRoot: string, toRoot: string, key: string,
  { mayLink }: { mayLink: boolean }): Promise<boolean> {
  checkKey(key)
  const from = join(fromRoot, key)
  const to = join(toRoot, key)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    if (mayLink && await linked(from, to)) return true
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

async function linked (from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (hasCode(error, ...linkRefused)) return false
    throw error
  }
}
