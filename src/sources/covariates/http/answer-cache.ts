interface Entry {
  answered: Answered<unknown>
  bytes: number
  expiresAtMs: number
}

/** A parsed body. It is shared by all callers, so nobody may change it. */
export interface Answered<T> {
  value: T
  fetchedAtMs: number
}

/** Good answers by address, in memory: at most `maxBytes`; the least recently used are dropped first. */
export class AnswerCache {
  readonly #entries = new Map<string, Entry>()
  readonly #maxBytes: number
  readonly #now: () => number
  #bytes = 0

  constructor (maxBytes: number, now: () => number = Date.now) {
    this.#maxBytes = maxBytes
    this.#now = now
  }

  get (key: string): Answered<unknown> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#drop(key, entry)
    if (entry.expiresAtMs <= this.#now()) return undefined
    this.#keep(key, entry)
    return entry.answered
  }

  /** `bytes`: the approximate size of the value. */
  set (key: string, answered: Answered<unknown>, bytes: number, ttlMs: number): void {
    const old = this.#entries.get(key)
    if (old !== undefined) this.#drop(key, old)
    const entry = { answered, bytes: bytes + key.length, expiresAtMs: answered.fetchedAtMs + ttlMs }
    if (entry.bytes > this.#maxBytes || ttlMs <= 0) return
    this.#keep(key, entry)
    for (const [first, oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(first, oldest)
    }
  }

  get bytes (): number {
    return this.#bytes
  }

  #keep (key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
  }

  #drop (key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}
