import { fstatSync, lstatSync, type Stats } from 'node:fs'
import { constants, copyFile, link, lstat, rm, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { hasCode, linkRefused } from './local-errors.ts'
import type { ByteRange, ObjectRead } from './object-store.ts'
import { StoreError } from './store-error.ts'

const readChunkBytes = 256 * 1024
const writeBits = 0o222

/** Throws ENOENT for anything that is not a file, because folders are not objects. */
export async function statObject (path: string): Promise<Stats> {
  return onlyFile(await lstat(path))
}

/** The same at once, for a file that another process of this machine has just written or is about to read. */
export function assertObject (path: string): void {
  onlyFile(lstatSync(path))
}

export function statOpen (file: number): Stats {
  return onlyFile(fstatSync(file))
}

/**
 * Takes over the handle, which the stream closes. If the object is deleted or overwritten meanwhile, an open file still
 * gives the old bytes.
 */
export async function readRange (handle: FileHandle, key: string, totalBytes: number,
  range: ByteRange | undefined): Promise<ObjectRead> {
  const start = range?.start ?? 0
  const end = Math.min(range?.end ?? totalBytes - 1, totalBytes - 1)
  if (range && (start < 0 || end < start)) {
    throw new StoreError('invalid_range',
      `${key} has ${totalBytes} bytes; no bytes ${start} to ${range.end ?? 'its end'}`)
  }
  if (totalBytes === 0) {
    await handle.close()
    return { stream: Readable.from([]), bytes: 0, totalBytes }
  }
  return {
    stream: handle.createReadStream({ start, end, highWaterMark: readChunkBytes }),
    bytes: end - start + 1,
    totalBytes
  }
}

/**
 * Links the object if a reader cannot change it that way: the file must be read-only, and the process must not run as
 * the superuser, who may write to any file. Otherwise it copies.
 */
export async function linkOrCopy (from: string, to: string, mode: number): Promise<void> {
  if ((mode & writeBits) === 0 && process.getuid?.() !== 0) {
    try {
      await link(from, to)
      return
    } catch (error) {
      if (!hasCode(error, ...linkRefused)) throw error
    }
  }
  await copyWhole(from, to)
}

async function copyWhole (from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  } catch (error) {
    // Without this, an incomplete copy would look like the object.
    if (!hasCode(error, 'EEXIST')) await rm(to, { force: true })
    throw error
  }
}

function onlyFile (info: Stats): Stats {
  if (!info.isFile()) throw Object.assign(new Error('not a file'), { code: 'ENOENT' })
  return info
}
