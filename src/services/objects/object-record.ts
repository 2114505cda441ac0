export const objectStatuses = ['presigned', 'uploaded', 'failed'] as const
export type ObjectStatus = typeof objectStatuses[number]

/** Also the first parts of the keys. */
export const objectCategories = ['raw', 'processed', 'exports', 'tmp'] as const
export type ObjectCategory = typeof objectCategories[number]

/**
 * What the service knows about one stored object, in LMDB under [tenant, objectId]. Object ids are ULIDs, so the keys
 * of a tenant are in order of creation. Times are milliseconds since 1970, UTC.
 */
export interface StoredObject {
  v: 1
  objectId: string
  tenant: string
  /** The id part of the API key that asked for the upload. */
  keyId: string
  /** Where its bytes lie in the store. */
  key: string
  status: ObjectStatus
  /** As the client called it; never part of a path. */
  filename: string
  contentType: string
  category: ObjectCategory
  createdAtMs: number
  /** The signed address takes an upload until then. */
  presignExpiresAtMs: number
  /** Announced by the client, or found once `isVerified`; null: not known yet. */
  fileSize: number | null
  /** The store was asked for the size, and it fits; from then on the bytes do not change. */
  isVerified: boolean
  uploadedAtMs: number | null
}

/** Ids come from callers too, and the record refuses keys that it cannot store, such as a NUL. */
export function isObjectId (text: string): boolean {
  return /^obj_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}

/** How many bytes an object counts; of one whose size nobody has said, `held`: what has come of it. */
export const objectBytes = {
  table: 'objects',
  bytesOf: ({ status, fileSize }: StoredObject, held: number): number => status === 'failed' ? 0 : fileSize ?? held
}
