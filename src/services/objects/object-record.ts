export const objectStatuses = ['presigned', 'uploaded', 'failed'] as const
export type ObjectStatus = typeof objectStatuses[number]

/** Also the first part of the keys in the store. */
export const objectCategories = ['raw', 'processed', 'exports', 'tmp'] as const
export type ObjectCategory = typeof objectCategories[number]

/**
 * The record of one stored object, in LMDB under [tenant, objectId]. Object ids are ULIDs, so the keys of a tenant are
 * in order of creation. Times are milliseconds since 1970, UTC.
 */
export interface StoredObject {
  v: 1
  objectId: string
  tenant: string
  /** The id of the API key that requested the upload. */
  keyId: string
  /** Where its bytes are in the store. */
  key: string
  status: ObjectStatus
  /** The client's name for it; never part of a path. */
  filename: string
  contentType: string
  category: ObjectCategory
  createdAtMs: number
  /** Until when the signed address accepts an upload. */
  presignExpiresAtMs: number
  /** Announced by the client, or measured once `isVerified`; null: unknown. */
  fileSize: number | null
  /** The store has reported the size, and it fits. The bytes do not change any more. */
  isVerified: boolean
  uploadedAtMs: number | null
}

/** Callers send ids too, and LMDB refuses keys that it cannot store, such as a NUL. */
export function isObjectId (text: string): boolean {
  return /^obj_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}

/** The bytes that an object counts. Without an announced size, `held`: the bytes that have arrived. */
export const objectBytes = {
  table: 'objects',
  bytesOf: ({ status, fileSize }: StoredObject, held: number): number => status === 'failed' ? 0 : fileSize ?? held
}
