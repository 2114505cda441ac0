import { StoreError } from './store-error.ts'

/** What a file system error means for the object `key`; the caller has told apart what a missing file means. */
export function storeError (cause: unknown, key: string): StoreError {
  if (cause instanceof StoreError) return cause
  const { code, message } = cause as NodeJS.ErrnoException
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new StoreError('no_space', `no space left for ${key}`, cause)
    // A folder stands where the object should be, or an object where one of its folders should be.
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

/** Another file system, too many links, or a file system or a kernel setting that allows none. */
export const linkRefused = ['EXDEV', 'EMLINK', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP']
