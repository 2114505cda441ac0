const maxFailures = 3
const pauseMs = 60_000

/**
 * Keeps callers from waiting for an endpoint that failed several times in a row. For a while it admits nobody, then one
 * caller at a time.
 */
export class CircuitBreaker {
  readonly #now: () => number
  #failures = 0
  #pausedUntil = 0

  /** `now`: a clock in milliseconds that never goes back. */
  constructor (now: () => number) {
    this.#now = now
  }

  /** Whether the endpoint may be asked now. */
  admits (): boolean {
    if (this.#failures < maxFailures) return true
    if (this.#now() < this.#pausedUntil) return false
    // This caller tries the endpoint. The others wait for its result, or for the next pause to end.
    this.#pausedUntil = this.#now() + pauseMs
    return true
  }

  succeeded (): void {
    this.#failures = 0
  }

  failed (): void {
    this.#failures++
    if (this.#failures >= maxFailures) this.#pausedUntil = this.#now() + pauseMs
  }
}
