import { TabcastError } from '../../platform/errors.ts'
import type { StoredObject } from './object-record.ts'

/** One error for an unknown object and for one of another tenant. */
export function noSuchObject (): TabcastError {
  return new TabcastError('not_found', 'No such object for this key.')
}

/** Why the object cannot be used, and what to do about it. */
export function notReady ({ status, presignExpiresAtMs }: StoredObject, nowMs: number): TabcastError {
  if (status === 'failed') {
    return new TabcastError('object_not_ready', 'The upload of this object failed.', {
      suggestion: 'Ask for a new upload: POST /storage/uploads/presign.'
    })
  }
  if (nowMs < presignExpiresAtMs) {
    return new TabcastError('object_not_ready', 'The file of this object has not been uploaded yet.', {
      retryable: true,
      suggestion: 'Send the file to upload_url, then POST /storage/uploads/{object_id}/complete.'
    })
  }
  return new TabcastError('object_not_ready', 'The file of this object was not uploaded before its address expired.', {
    suggestion: 'Ask for a new upload: POST /storage/uploads/presign.'
  })
}

export function objectTooLarge (maxBytes: number): TabcastError {
  return new TabcastError('file_too_large',
    `The file is larger than ${maxBytes} bytes, the most this deployment takes.`, {
    suggestion: 'Store fewer series in a file, or Parquet, which is smaller. See max_object_bytes in GET /limits.'
  })
}

export function otherSize (expected: number, found: number): TabcastError {
  return new TabcastError('validation_error', `The stored file has ${found} bytes, not ${expected}.`, {
    status: 400,
    suggestion: 'Upload the whole file to a new address: POST /storage/uploads/presign.'
  })
}
