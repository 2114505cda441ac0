import type { Identity } from './identity.ts'

export interface VerifiedKey {
  identity: Identity
  expiresAtMs: number
  /** In the record, as opposed to the static map. */
  issued: boolean
}

const maxEntries = 10_000

/**
 * Keys that were verified and not changed since: saves the hash and the read of the record on every request but the
 * first. Whatever changes a key forgets it, so that an answer from here is never older than its last change, and
 * changes of one tenant's keys cost the others nothing. Only right keys come in, so a stranger cannot fill it.
 */
export class VerifiedKeys {
  readonly #entries = new Map<string, VerifiedKey>()
  /** Id -> its keys: after a rotation there are two for a while. */
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
