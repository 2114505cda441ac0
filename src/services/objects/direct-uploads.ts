import type { Logger } from 'pino'
import { TabcastError } from '../../platform/errors.ts'
import { objectOwnerOf } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { StoreError } from '../../platform/store/store-error.ts'
import { noSuchObject, notReady } from './object-errors.ts'
import type { ObjectLedger } from './object-ledger.ts'
import type { StoredObject } from './object-record.ts'

/**
 * Uploads to signed addresses of the local store, which arrive at this service. They behave like uploads to any other
 * store.
 */
export class DirectUploads {
  readonly #ledger: ObjectLedger
  readonly #store: ObjectStore
  readonly #isCounted: boolean
  readonly #log: Logger
  /**
   * Keys with an upload in progress, one for each. Otherwise a single address could fill the disk, since only one of
   * its uploads is stored and counted.
   */
  readonly #underWay = new Set<string>()

  /** `isCounted`: a quota counts bytes, from the moment that they arrive. */
  constructor (deps: { ledger: ObjectLedger, store: ObjectStore, isCounted: boolean, log: Logger }) {
    this.#ledger = deps.ledger
    this.#store = deps.store
    this.#isCounted = deps.isCounted
    this.#log = deps.log
  }

  /** Call it before the body is read, so that nobody sends gigabytes to be refused. Every `begin` needs an `end`. */
  async begin (key: string): Promise<StoredObject> {
    const record = this.#assertAwaited(key)
    if (this.#underWay.has(key)) throw isUnderWay()
    this.#underWay.add(key)
    try {
      if (await this.#store.stat(key) !== undefined) throw isThere()
    } catch (error) {
      this.end(key)
      throw error
    }
    return record
  }

  end (key: string): void {
    this.#underWay.delete(key)
  }

  async take (key: string, path: string, bytes: number): Promise<void> {
    const { tenant, objectId } = this.#assertAwaited(key)
    try {
      await this.#store.putFile(key, path, { move: true, ifAbsent: true })
    } catch (error) {
      if (error instanceof StoreError && error.code === 'exists') throw isThere()
      throw error
    }
    try {
      const record = this.#isCounted ? await this.#ledger.received(tenant, objectId, bytes) : this.#find(key)
      if (record === undefined) throw noSuchObject()
      if (record.status === 'failed') throw notReady(record, this.#ledger.now())
    } catch (error) {
      // The object failed in the meantime, so its own deletion ran too early. Or the file exceeds the tenant's quota.
      if (error instanceof TabcastError) await this.#ledger.fail(tenant, objectId)
      await this.#store.deleteKey(key).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'cannot remove a late upload now; the next sweep removes it')
      )
      throw error
    }
  }

  #assertAwaited (key: string): StoredObject {
    const record = this.#find(key)
    if (record === undefined) throw noSuchObject()
    // A client may say `complete` before it sends the file, so only a verified object is final.
    if (record.isVerified) throw isThere()
    if (record.status === 'failed') throw notReady(record, this.#ledger.now())
    return record
  }

  #find (key: string): StoredObject | undefined {
    const owner = objectOwnerOf(key)
    return owner === undefined ? undefined : this.#ledger.get(owner.tenant, owner.objectId)
  }
}

function isUnderWay (): TabcastError {
  return new TabcastError('object_not_ready', 'Another upload to this address is running.', {
    retryable: true,
    retryAfterSeconds: 5,
    suggestion: 'Wait until it has ended, or ask for a new upload: POST /storage/uploads/presign.'
  })
}

/** The answer of S3 to `If-None-Match: *`. */
function isThere (): TabcastError {
  return new TabcastError('validation_error',
    'This address has taken its upload already; a stored file is never replaced.', {
    status: 412,
    suggestion: 'Ask for a new upload: POST /storage/uploads/presign.'
  })
}
