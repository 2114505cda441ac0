import { statfs } from 'node:fs/promises'
import { MetadataError } from './metadata-error.ts'

/** Codes of a full disk or map, from `errno` and LMDB: ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL. */
const noSpace = new Set<unknown>([28, 122, 27, -30792, 'ENOSPC', 'EDQUOT', 'EFBIG'])
/** MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_VERSION_MISMATCH, MDB_INVALID. */
const damaged = new Set<unknown>([-30797, -30796, -30794, -30793])

const ioError = 5
/** Below this a disk counts as full: LMDB writes the pages of a commit in pieces of up to 2 MiB. */
const littleSpaceBytes = 4 * 1024 * 1024

/** Turns a failure of LMDB or of the file system into a MetadataError; a MetadataError stays as it is. */
export function metadataError (cause: unknown, path: string): MetadataError {
  if (cause instanceof MetadataError) return cause
  const { code, message } = cause as { code?: unknown, message: string }
  if (noSpace.has(code)) return new MetadataError('no_space', `${path}: no space left; nothing was written`, cause)
  if (damaged.has(code)) return damagedError(path, message, cause)
  return new MetadataError('unavailable', `${path}: ${message}`, cause)
}

/** LMDB also reports EIO for a write that was cut short because the disk was full. */
export async function commitFailure (cause: unknown, path: string): Promise<MetadataError> {
  if ((cause as { code?: unknown }).code === ioError) {
    const disk = await statfs(path).catch(() => undefined)
    if (disk && disk.bavail * disk.bsize < littleSpaceBytes) {
      return metadataError(Object.assign(new Error('no space left', { cause }), { code: 'ENOSPC' }), path)
    }
  }
  return metadataError(cause, path)
}

export function damagedError (path: string, reason: string, cause?: unknown): MetadataError {
  return new MetadataError('damaged',
    `${path}: the metadata is damaged (${reason}). Stop the service, move this folder away and put a backup in its ` +
      'place: tabcast restore FOLDER --force', cause)
}
