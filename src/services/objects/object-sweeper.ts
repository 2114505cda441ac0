import type { Logger } from 'pino'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import type { ObjectLedger } from './object-ledger.ts'
import type { StoredObject } from './object-record.ts'

const batch = 500
/** The most keys of one run. The rest waits for the next run, so that a stop never waits long. */
const sweptAtMost = 10_000

/**
 * Fails uploads that never arrived and deletes bytes that nobody may reach any more. The record says what is due, so a
 * restart loses nothing, and a failed deletion stays due.
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

  /** Deletes at once, for a caller who waits. The scheduled sweep follows in any case. */
  async drop ({ objectId, key }: StoredObject): Promise<void> {
    try {
      await this.#store.deleteKey(key)
    } catch (error) {
      this.#log.warn({ objectId, err: error }, 'object dropped; its bytes are removed later')
    }
  }

  async #expireUploads (): Promise<void> {
    for (;;) {
      const due = this.#ledger.dueUploads(batch)
      const failed = await Promise.all(
        due.map(({ dueMs, objectId, tenant }) => this.#ledger.expireUpload(dueMs, objectId, tenant))
      )
      const count = failed.filter((record) => record !== undefined).length
      if (count > 0) this.#log.info({ count }, 'uploads failed because they were not completed in time')
      if (due.length < batch) return
    }
  }
}
