import { TabcastError } from '../../../platform/errors.ts'
import type { MetadataStore, Table } from '../../../platform/metadata/metadata-store.ts'
import { sandboxTenant } from '../../keys/scopes.ts'
import { captchaFailed, type CaptchaDriver } from './captcha.ts'
import type { SpentToken } from './tables.ts'

export interface SpentTokensOptions {
  metadata: MetadataStore
  driver: CaptchaDriver
  /**
   * At this number no token is accepted until old ones are forgotten. Forgetting earlier would let tokens be used
   * again.
   */
  maxTokens?: number
  now?: () => number
}

/** How long an expired token stays on record, in case the clock is set back. */
const marginMs = 600_000
const sweepBatch = 500

/** Used tokens, on record until long after they expire, so that none is accepted twice, even after a restart. */
export class SpentTokens {
  readonly #metadata: MetadataStore
  readonly #driver: CaptchaDriver
  readonly #maxTokens: number
  readonly #now: () => number
  readonly #tokens: Table<SpentToken>
  readonly #expiry: Table<Record<string, never>>
  /** In memory, because only this process writes the tokens. */
  #count: number

  constructor ({ metadata, driver, maxTokens = 100_000, now = Date.now }: SpentTokensOptions) {
    this.#metadata = metadata
    this.#driver = driver
    this.#maxTokens = maxTokens
    this.#now = now
    this.#tokens = metadata.table('sandboxTokens')
    this.#expiry = metadata.table('sandboxTokenExpiry')
    this.#count = this.#tokens.count()
  }

  /** Throws for a used token, and when there is no room for another. */
  check (digest: string): void {
    if (this.#tokens.revision([this.#driver, digest]) !== undefined) throw captchaFailed('replayed')
    if (this.#count < this.#maxTokens) return
    throw new TabcastError('server_overloaded', 'The sandbox has more visitors than it can take at the moment.', {
      retryAfterSeconds: 60
    })
  }

  /**
   * Uses the token up, in one transaction: of several requests at once, one succeeds and the others throw. Resolves
   * once it is on disk.
   */
  async add (digest: string, expiresAtMs: number): Promise<void> {
    this.check(digest)
    await this.#metadata.transact((tx) => {
      if (!tx.createIfAbsent(this.#tokens, [this.#driver, digest], { v: 1 })) throw captchaFailed('replayed')
      tx.put(this.#expiry, [expiresAtMs + marginMs, this.#driver, digest], {})
    }, sandboxTenant)
    this.#count++
  }

  async sweep (): Promise<void> {
    for (;;) {
      const due = [...this.#expiry.range({ end: [this.#now()], limit: sweepBatch })].map(({ key }) => key)
      if (due.length === 0) return
      await this.#metadata.transact((tx) => {
        for (const key of due) {
          tx.delete(this.#expiry, key)
          tx.delete(this.#tokens, key.slice(1))
        }
      })
      this.#count -= due.length
    }
  }
}
