import { statfsSync } from 'node:fs'

/** The bytes that an ordinary user may still write on the folder's disk. */
export function freeBytes (folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
