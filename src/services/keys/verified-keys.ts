import type { Identity } from './identity.ts'

export interface VerifiedKey {
  identity: Identity
  expiresAtMs: number
  /** True: the key is in the record. False: it is in the static map. */
  issued: boolean
}

const maxEntries = 10_000

/**
 * Keys that were verified and have not changed since. They save every request but the first the hash and the read of
 * the record. Each change of a key removes it, so an entry is never stale, and one tenant's changes cost others
 * nothing. Only valid keys are added, so strangers cannot fill the cache.
 */
export class VerifiedKeys {
  readonly #entries = new Map<string, VerifiedKey>()
  /** Id -> its keys; for a while after a rotation there are two. */
  readonly #ofId = new Map<string, Set<string>>()

  get (key: string, nowMs: number): VerifiedKey | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || nowMs < entry.expiresAtMs) return entry
    this.#delete(key, entry)
    return undefined
  }

  set (key: string, entry: VerifiedKey): void {
    const [oldest] = this.#entries
    if (oldest !== undefined && this.#entries.size >= maxEntries) this.#delete(...oldest)
    this.#entries.set(key, entry)
    const { keyId } = entry.identity
    this.#ofId.set(keyId, (this.#ofId.get(keyId) ?? new Set()).add(key))
  }

  forget (keyId: string): void {
    for (const key of this.#ofId.get(keyId) ?? []) this.#entries.delete(key)
    this.#ofId.delete(keyId)
  }

  clear (): void {
    this.#entries.clear()
    this.#ofId.clear()
  }

  #delete (key: string, { identity: { keyId } }: VerifiedKey): void {
    this.#entries.delete(key)
    const own = this.#ofId.get(keyId)
    own?.delete(key)
    if (own?.size === 0) this.#ofId.delete(keyId)
  }
}
