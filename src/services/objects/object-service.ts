import type { Readable } from 'node:stream'
import type { FileFormat } from '../../domain/files.ts'
import type { TablePreview } from '../../domain/table-preview.ts'
import type { ByteRange } from '../../platform/store/object-store.ts'
import type { WithinObject } from './object-ledger.ts'
import type { ObjectCategory, ObjectStatus, StoredObject } from './object-record.ts'

export interface UploadRequest {
  keyId: string
  filename: string
  contentType: string
  fileSize: number | null
  category: ObjectCategory
  /** Where clients reach this service; signed addresses of the local store begin with it. */
  baseUrl: string
}

export interface PresignedUpload {
  record: StoredObject
  url: string
  headers: Record<string, string>
}

export interface CompleteRequest {
  /** Ask the store whether the file exists, and for its size. */
  verify: boolean
  expectedFileSize: number | null
}

export interface ObjectQuery {
  /** null: any. */
  status: ObjectStatus | null
  limit: number
  /** The last object id of the previous page. */
  before: string | null
}

/** An upload to a signed address. The address accepts no other until this one ends. */
export interface UploadUnderWay {
  /** Counts further bytes. Throws when they exceed the tenant's quota. */
  come(bytes: number): void
  /** Stores the file at `path`, usually by moving it. The caller removes the file if it is still there. */
  take(path: string, bytes: number): Promise<void>
  /** Call it once the bytes are stored or dropped. */
  end(): void
}

/** A stored object as the input of a job, which reads it in place. */
export interface StoredInput {
  objectId: string
  key: string
  format: FileFormat
  bytes: number
}

/**
 * The files that tenants store. Expected errors are TabcastErrors. An unknown object and one of another tenant give the
 * same error.
 */
export interface ObjectService {
  /** The record is on disk before the address is returned. `within` runs in its transaction. */
  presign(tenant: string, request: UploadRequest, within?: WithinObject): Promise<PresignedUpload>
  /** Idempotent. */
  complete(tenant: string, objectId: string, request: CompleteRequest, within?: WithinObject): Promise<StoredObject>
  get(tenant: string, objectId: string): StoredObject
  /** Newest first. `next` is the `before` of the next page; null at the end. A page may be short. */
  list(tenant: string, query: ObjectQuery): { objects: StoredObject[], next: string | null }
  downloadUrl(tenant: string, objectId: string, baseUrl: string): Promise<{ url: string, expiresAtMs: number }>
  /** The first rows of a CSV file, read by a worker. */
  preview(tenant: string, objectId: string): Promise<TablePreview>
  /** The object as an input, once its size is verified. */
  asInput(tenant: string, objectId: string): Promise<StoredInput>
  /** Once it resolves, no read succeeds. The bytes stay for jobs that have not ended. */
  delete(tenant: string, objectId: string, within?: WithinObject): Promise<void>
  /** Whether the key belongs to an object that may be read. */
  isReadable(key: string): boolean
  /**
   * undefined when the object cannot be read. The stream breaks off when the object is deleted. Rejects with a
   * StoreError.
   */
  openFile(key: string, range?: ByteRange): Promise<Readable | undefined>
  /**
   * Rejects unless the upload for this key is still expected, is the only one in progress, and has room for its
   * announced bytes (0 when it announces none).
   */
  beginUpload(key: string, announced: number): Promise<UploadUnderWay>
}
