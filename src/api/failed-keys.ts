import type { FastifyBaseLogger } from 'fastify'
import { readKeyId } from '../services/keys/key-format.ts'

const minuteMs = 60_000

/**
 * Logs requests whose API key is not valid, at most one line a minute, because anybody can send such requests. A line
 * has the id of a well-formed key, which is no secret, so that a revoked key that is still in use is found.
 */
export class FailedKeys {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  #isQuiet = false
  #count = 0
  #keyId: string | undefined

  constructor (log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#log = log
  }

  note (key: string): void {
    this.#count++
    this.#keyId = readKeyId(key) ?? this.#keyId
    if (!this.#isQuiet) this.#write()
  }

  /** What comes in the next minute is counted, and written at its end. */
  #write (): void {
    const keyId = this.#keyId === undefined ? {} : { keyId: this.#keyId }
    this.#log.warn({ count: this.#count, ...keyId }, 'requests came with an API key that is not valid')
    this.#count = 0
    this.#keyId = undefined
    this.#isQuiet = true
    setTimeout(() => {
      this.#isQuiet = false
      if (this.#count > 0) this.#write()
    }, minuteMs).unref()
  }
}
