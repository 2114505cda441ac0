import type { Logger } from 'pino'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import type { ModelLedger } from './model-ledger.ts'

const batch = 500

/**
 * Removes expired models, and bytes that nobody may reach any more. The record says what is due, so a restart loses
 * nothing.
 */
export class ModelSweeper {
  readonly #ledger: ModelLedger
  readonly #store: ObjectStore
  readonly #log: Logger

  constructor (deps: { ledger: ModelLedger, store: ObjectStore, log: Logger }) {
    this.#ledger = deps.ledger
    this.#store = deps.store
    this.#log = deps.log
  }

  async run (): Promise<void> {
    for (;;) {
      const count = await this.#ledger.expire(batch)
      if (count > 0) this.#log.info({ count }, 'fine-tuned models expired')
      if (count < batch) break
    }
    await this.sweepBytes()
  }

  async sweepBytes (): Promise<void> {
    await this.#ledger.bytes.sweep(this.#store, batch)
  }
}
