import type { Logger } from 'pino'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import type { ObjectLedger } from './object-ledger.ts'
import type { StoredObject } from './object-record.ts'

const batch = 500
/**
 * Of one run. More than one key can make due meanwhile; the rest waits for the next run, so that a stop does not wait
 * for all of it.
 */
const sweptAtMost = 10_000

/**
 * Ends uploads that never came and deletes bytes that nobody may reach any more. What is due is in the record, so a
 * restart loses nothing, and what the store does not delete now stays due.
 */
export class ObjectSweeper {
  readonly #ledger: ObjectLedger
  readonly #store: ObjectStore
  readonly #log: Logger

  constructor (deps: { ledger: ObjectLedger, store: ObjectStore, log: Logger }) {
    this.#ledger = deps.ledger
    this.#store = deps.store
    this.#log = deps.log
  }

  async run (): Promise<void> {
    await this.#expireUploads()
    await this.#ledger.bytes.sweep(this.#store, sweptAtMost)
  }

  /** At once, for a caller who waits; the sweep that the record has scheduled follows in any case. */
  async drop ({ objectId, key }: StoredObject): Promise<void> {
    try {
      await this.#store.deleteKey(key)
    } catch (error) {
      this.#log.warn({ objectId, err: error }, 'dropped; its bytes go later')
    }
  }

  async #expireUploads (): Promise<void> {
    for (;;) {
      const due = this.#ledger.dueUploads(batch)
      const failed = await Promise.all(
        due.map(({ dueMs, objectId, tenant }) => this.#ledger.expireUpload(dueMs, objectId, tenant))
      )
      const count = failed.filter((record) => record !== undefined).length
      if (count > 0) this.#log.info({ count }, 'uploads that were not completed in time have failed')
      if (due.length < batch) return
    }
  }
}
