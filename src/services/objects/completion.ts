import { TabcastError } from '../../platform/errors.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { StoreError } from '../../platform/store/store-error.ts'
import { noSuchObject, notReady, objectTooLarge, otherSize } from './object-errors.ts'
import { uploadGraceMs, type ObjectLedger, type WithinObject } from './object-ledger.ts'
import type { StoredObject } from './object-record.ts'
import type { CompleteRequest } from './object-service.ts'

/**
 * Turns an upload into an object. A signed address cannot enforce the announced size or the cap, so the store is asked
 * for the file and its size.
 */
export class Completion {
  readonly #ledger: ObjectLedger
  readonly #store: ObjectStore
  readonly #maxBytes: number
  readonly #isCounted: boolean
  readonly #onFailed: (record: StoredObject) => Promise<void>

  /**
   * `isCounted`: a quota counts bytes, so an announced size is never trusted. `onFailed` removes the bytes of an upload
   * that does not match its announcement.
   */
  constructor (
    deps: { ledger: ObjectLedger, store: ObjectStore, maxBytes: number, isCounted: boolean,
      onFailed: (record: StoredObject) => Promise<void> }
  ) {
    this.#ledger = deps.ledger
    this.#store = deps.store
    this.#maxBytes = deps.maxBytes
    this.#isCounted = deps.isCounted
    this.#onFailed = deps.onFailed
  }

  async complete (record: StoredObject, { verify, expectedFileSize }: CompleteRequest,
    within?: WithinObject): Promise<StoredObject> {
    if (record.status === 'failed') throw notReady(record, this.#ledger.now())
    if (record.isVerified) return asExpected(record, expectedFileSize)
    if (verify || this.#isCounted) return await this.#look(record, expectedFileSize, within)
    if (expectedFileSize !== null && expectedFileSize > this.#maxBytes) throw objectTooLarge(this.#maxBytes)
    const fileSize = asExpected(record, expectedFileSize).fileSize ?? expectedFileSize
    return present(await this.#ledger.uploaded(record.tenant, record.objectId, { fileSize, isVerified: false }, within),
      this.#ledger.now())
  }

  /** The object with its size. Throws when the file cannot be used. */
  async usable (record: StoredObject): Promise<StoredObject> {
    if (record.status !== 'uploaded') throw notReady(record, this.#ledger.now())
    return record.isVerified ? record : await this.#look(record, null)
  }

  async #look (record: StoredObject, expectedFileSize: number | null, within?: WithinObject): Promise<StoredObject> {
    const { tenant, objectId, key } = record
    const found = await this.#stat(key)
    if (found === undefined) throw await this.#missing(record)
    const refusal = this.#refusal(found.bytes, [record.fileSize, expectedFileSize])
    if (refusal === undefined) {
      return present(await this.#ledger.uploaded(tenant, objectId, { fileSize: found.bytes, isVerified: true }, within),
        this.#ledger.now())
    }
    const after = await this.#ledger.fail(tenant, objectId, within)
    // A caller without that expectation completed the object first, and an uploaded object stays.
    if (after?.isVerified === true) return asExpected(after, expectedFileSize)
    if (after !== undefined) await this.#onFailed(after)
    throw refusal
  }

  /**
   * The file may be missing because its object was deleted. While the upload may still arrive, the object waits for it.
   * After that the sweeper fails the object, or this method does when it was completed without a check.
   */
  async #missing (record: StoredObject): Promise<TabcastError> {
    const { tenant, objectId, status, presignExpiresAtMs } = record
    if (this.#ledger.get(tenant, objectId) === undefined) return noSuchObject()
    if (status === 'uploaded' && this.#ledger.now() >= presignExpiresAtMs + uploadGraceMs) {
      await this.#ledger.fail(tenant, objectId)
    }
    return notReady({ ...record, status: 'presigned' }, this.#ledger.now())
  }

  #refusal (bytes: number, expected: Array<number | null>): TabcastError | undefined {
    if (bytes > this.#maxBytes) return objectTooLarge(this.#maxBytes)
    const other = expected.find((size) => size !== null && size !== bytes) ?? null
    return other === null ? undefined : otherSize(other, bytes)
  }

  async #stat (key: string) {
    try {
      return await this.#store.stat(key)
    } catch (error) {
      if (error instanceof StoreError) {
        throw new TabcastError('storage_error', 'The object store cannot be asked now.', { cause: error })
      }
      throw error
    }
  }
}

/** A caller that expects another size would work with the wrong file. */
function asExpected (record: StoredObject, expectedFileSize: number | null): StoredObject {
  if (expectedFileSize === null || record.fileSize === null || record.fileSize === expectedFileSize) return record
  throw otherSize(expectedFileSize, record.fileSize)
}

function present (record: StoredObject | undefined, nowMs: number): StoredObject {
  if (record === undefined) throw noSuchObject()
  if (record.status !== 'uploaded') throw notReady(record, nowMs)
  return record
}
