/** Requests to one provider: at most `perMinute` begin in any 60 seconds. */
export class RequestQuota {
  readonly #perMinute: number
  readonly #now: () => number
  /** When the last requests began, or are to begin; rising. */
  readonly #starts: number[] = []

  constructor (perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /** Takes the next turn and says in how many milliseconds it is; null, and no turn is taken, when that is more than `maxWaitMs`. */
  take (maxWaitMs: number): number | null {
    const now = this.#now()
    while (this.#starts.length > 0 && (this.#starts[0] as number) <= now - 60_000) this.#starts.shift()
    const nth = this.#starts.at(-this.#perMinute)
    const startAt = Math.max(now, nth === undefined ? 0 : nth + 60_000)
    if (startAt - now > maxWaitMs) return null
    this.#starts.push(startAt)
    return startAt - now
  }
}
