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
  /** Where clients reach this service, for signed addresses of the local store. */
  baseUrl: string
}

export interface PresignedUpload {
  record: StoredObject
  url: string
  headers: Record<string, string>
}

export interface CompleteRequest {
  /** Ask the store whether the file is there, and how large it is. */
  verify: boolean
  expectedFileSize: number | null
}

export interface ObjectQuery {
  /** null: any. */
  status: ObjectStatus | null
  limit: number
  /** The last object id of the page before. */
  before: string | null
}

/** An upload to a signed address. Nothing else takes that address until its end. */
export interface UploadUnderWay {
  /** So many more bytes have come; throws when they are more than its tenant may store. */
  come(bytes: number): void
  /** Takes the file at `path`; the caller removes what is left of it. */
  take(path: string, bytes: number): Promise<void>
  /** Its bytes are stored, or gone. */
  end(): void
}

/** A stored object as the input of a job, which reads it where it lies. */
export interface StoredInput {
  objectId: string
  key: string
  format: FileFormat
  bytes: number
}

/**
 * The files that tenants store. Everything that throws on purpose throws a TabcastError; an unknown object and one of
 * another tenant give the same one.
 */
export interface ObjectService {
  /** The record is on disk before the address is given out. `within` runs in its transaction. */
  presign(tenant: string, request: UploadRequest, within?: WithinObject): Promise<PresignedUpload>
  /** Idempotent. */
  complete(tenant: string, objectId: string, request: CompleteRequest, within?: WithinObject): Promise<StoredObject>
  get(tenant: string, objectId: string): StoredObject
  /** Newest first. `next` is the `before` of the next page; null when there is none. A page may be short. */
  list(tenant: string, query: ObjectQuery): { objects: StoredObject[], next: string | null }
  downloadUrl(tenant: string, objectId: string, baseUrl: string): Promise<{ url: string, expiresAtMs: number }>
  /** The beginning of a CSV file, read by a worker. */
  preview(tenant: string, objectId: string): Promise<TablePreview>
  /** An uploaded object whose size was looked at. */
  asInput(tenant: string, objectId: string): Promise<StoredInput>
  /** No read succeeds any more when it resolves; the bytes stay for jobs that have not ended. */
  delete(tenant: string, objectId: string, within?: WithinObject): Promise<void>
  /** Whether the key is that of an object whose file may be read. */
  isReadable(key: string): boolean
  /** Undefined: not readable. It breaks off when the object is deleted. Rejects with a StoreError. */
  openFile(key: string, range?: ByteRange): Promise<Readable | undefined>
  /**
   * Rejects unless the upload that was signed for this key is still waited for, is the only one under way, and has room
   * for the bytes that it announces (0: it does not say).
   */
  beginUpload(key: string, announced: number): Promise<UploadUnderWay>
}
