import { ConnectorError } from './connector-error.ts'

/** Far below the speed of any store. It keeps a large source from being read for days. */
const minBytesPerSecond = 16 * 1024
const graceMs = 10_000

/**
 * The least speed at which a store sends a body, or several of them together. A store that sends a byte now and then is
 * not silent, but would hold a job for as long as it likes.
 */
export class LeastSpeed {
  bytes = 0
  #waitedMs = 0

  /**
   * Passes a body on. Rejects with TIMEOUT when it is too slow. The wait for its first chunk does not count, because a
   * body that comes in one piece is only late, and the transport gives up on silence.
   */
  async *watch (body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let sinceMs: number | undefined
    for await (const chunk of body) {
      if (sinceMs !== undefined) this.#waitedMs += performance.now() - sinceMs
      this.bytes += chunk.length
      if (this.#waitedMs > graceMs && this.bytes < this.#waitedMs / 1000 * minBytesPerSecond) {
        throw new ConnectorError('TIMEOUT')
      }
      yield chunk
      sinceMs = performance.now()
    }
  }
}
