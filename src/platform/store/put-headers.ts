import type { SignedPutOptions } from './object-store.ts'

/** The headers that an uploader to a signed address has to send; the same for every store. */
export function requiredPutHeaders (
  { contentType, bytes, objectId }: Pick<SignedPutOptions, 'contentType' | 'bytes' | 'objectId'>
): Record<string, string> {
  return {
    'Content-Type': contentType,
    ...(bytes === null ? {} : { 'Content-Length': String(bytes) }),
    'If-None-Match': '*',
    'x-amz-meta-object-id': objectId
  }
}
