import { TabcastError } from '../../platform/errors.ts'
import type { EventStream } from './event-stream.ts'

const retryAfterSeconds = 5

/** The open event streams by tenant. */
export class OpenStreams {
  readonly #maxPerTenant: number
  readonly #streams = new Map<string, Set<EventStream>>()

  constructor (maxPerTenant: number) {
    this.#maxPerTenant = maxPerTenant
  }

  /** Throws rate_limited when the tenant has too many. The stream is removed when it closes. */
  add (tenant: string, stream: EventStream): void {
    const own = this.#streams.get(tenant) ?? new Set<EventStream>()
    if (own.size >= this.#maxPerTenant) {
      throw new TabcastError('rate_limited',
        `${own.size} event streams are open, and this deployment lets one tenant have ${this.#maxPerTenant}.`, {
        retryAfterSeconds,
        suggestion: 'Close streams that are not read, or poll GET /jobs/{job_id}?wait=30.'
      })
    }
    this.#streams.set(tenant, own.add(stream))
    stream.readable.once('close', () => {
      own.delete(stream)
      if (own.size === 0 && this.#streams.get(tenant) === own) this.#streams.delete(tenant)
    })
  }

  /**
   * Ends all streams when the service stops. Readers reconnect, and the id of their last event tells where they were.
   */
  endAll (): void {
    for (const own of this.#streams.values()) for (const stream of own) stream.end()
  }
}
