import { TabcastError } from '../../platform/errors.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { StoreError } from '../../platform/store/store-error.ts'
import { noSuchObject, notReady, objectTooLarge, otherSize } from './object-errors.ts'
import { uploadGraceMs, type ObjectLedger, type WithinObject } from './object-ledger.ts'
import type { StoredObject } from './object-record.ts'
import type { CompleteRequest } from './object-service.ts'

/**
 * How an upload becomes an object: the store is asked whether the file is there, and whether it has the size that was
 * announced and is below the cap, which a signed address cannot promise by itself.
 */
export class Completion {
  readonly #ledger: ObjectLedger
  readonly #store: ObjectStore
  readonly #maxBytes: number
  readonly #isCounted: boolean
  readonly #onFailed: (record: StoredObject) => Promise<void>

  /**
   * `isCounted`: bytes have a quota, so that no size is taken on trust. `onFailed` removes the bytes of an upload that
   * is not what was announced.
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

  /** The object with its size; throws when its file cannot be used. */
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
    // Somebody without that expectation was faster, and what is uploaded stays.
    if (after?.isVerified === true) return asExpected(after, expectedFileSize)
    if (after !== undefined) await this.#onFailed(after)
    throw refusal
  }

  /**
   * It may be gone because its object is. As long as the upload may still come the object waits for it; after that the
   * sweeper ends it, or this if it was completed unseen.
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

/** A caller who expects another size than the object has would work with the wrong file. */
function asExpected (record: StoredObject, expectedFileSize: number | null): StoredObject {
  if (expectedFileSize === null || record.fileSize === null || record.fileSize === expectedFileSize) return record
  throw otherSize(expectedFileSize, record.fileSize)
}

function present (record: StoredObject | undefined, nowMs: number): StoredObject {
  if (record === undefined) throw noSuchObject()
  if (record.status !== 'uploaded') throw notReady(record, nowMs)
  return record
}
