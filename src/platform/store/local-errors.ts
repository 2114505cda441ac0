import { StoreError } from './store-error.ts'

/** Turns a file system error into a StoreError about the object `key`. The caller handles missing files first. */
export function storeError (cause: unknown, key: string): StoreError {
  if (cause instanceof StoreError) return cause
  const { code, message } = cause as NodeJS.ErrnoException
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new StoreError('no_space', `no space left for ${key}`, cause)
    // A folder is in the object's place, or an object in the place of one of its folders.
    case 'EISDIR':
    case 'ENOTDIR':
      return new StoreError('invalid_key', `${key} and another key exclude each other: one names a folder of the other`,
        cause)
    default:
      return new StoreError('unavailable', `${key}: ${message}`, cause)
  }
}

export function hasCode (error: unknown, ...codes: string[]): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return code !== undefined && codes.includes(code)
}

/**
 * Links fail between file systems, if a file has too many, and where the file system or a kernel setting forbids them.
 */
export const linkRefused = ['EXDEV', 'EMLINK', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP']
