import type { Identity } from './identity.ts'

export interface VerifiedKey {
  identity: Identity
  expiresAtMs: number
  /** In the record, as opposed to the static map. */
  issued: boolean
}

const maxEntries = 10_000

/**
 * Keys that were verified and not changed since: saves the hash and the read of the record on every request but the first.
 * Whatever changes any key clears it whole, so that an answer from here is never older than the last change.
 * Only right keys come in, so a stranger cannot fill it.
 */
export class VerifiedKeys {
  readonly #entries = new Map<string, VerifiedKey>()

  get (key: string, nowMs: number): VerifiedKey | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || nowMs < entry.expiresAtMs) return entry
    this.#entries.delete(key)
    return undefined
  }

  set (key: string, entry: VerifiedKey): void {
    if (this.#entries.size >= maxEntries) this.clear()
    this.#entries.set(key, entry)
  }

  clear (): void {
    this.#entries.clear()
  }
}
