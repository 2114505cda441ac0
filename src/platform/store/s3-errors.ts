import { S3StatusError } from './s3-client.ts'
import { StoreError, type StoreErrorCode } from './store-error.ts'

/** Error codes of S3 servers (AWS, MinIO, Ceph, versitygw); any other code means that the store is unavailable. */
const meanings: Record<string, StoreErrorCode> = {
  NoSuchKey: 'not_found',
  PreconditionFailed: 'exists',
  InvalidRange: 'invalid_range',
  XMinioStorageFull: 'no_space',
  XMinioAdminBucketQuotaExceeded: 'no_space',
  QuotaExceeded: 'no_space',
  InsufficientStorage: 'no_space',
  KeyTooLongError: 'invalid_key',
  XMinioInvalidObjectName: 'invalid_key',
  XMinioObjectExistsAsDirectory: 'invalid_key',
  XMinioParentIsObject: 'invalid_key',
  ObjectParentIsFile: 'invalid_key',
  ExistingObjectIsDirectory: 'invalid_key',
  // An error of the local disk, while an object is copied to a file.
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
  EFBIG: 'no_space'
}

/**
 * Turns an error of a request about `key` into a StoreError. The server's texts name codes and resources, never
 * credentials.
 */
export function s3StoreError (cause: unknown, key: string): StoreError {
  if (cause instanceof StoreError) return cause
  const { code = 'unknown error', message } = cause as { code?: string, message?: string }
  return new StoreError(meanings[code] ?? 'unavailable', `${key}: ${code}: ${message ?? ''}`, cause)
}

/** The code of the server or of the connection. */
export function s3ErrorCode (error: unknown): string | undefined {
  return (error as { code?: string } | undefined)?.code
}

const brokenConnection = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH',
  'ENETUNREACH'])

/** Whether another try within the same call may help. After silence it does not: that wait was long enough. */
export function isTransient (error: unknown): boolean {
  if (error instanceof S3StatusError) return true
  const code = s3ErrorCode(error)
  return code !== undefined &&
    (brokenConnection.has(code) || code === 'ConditionalRequestConflict' || code === 'SlowDown')
}
