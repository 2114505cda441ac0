/** A turn in the quota of a provider. */
export interface RequestTurn {
  /** Milliseconds until the turn. */
  inMs: number
  /** Call it if the request is not made. */
  giveBack(): void
}

/** Limits the requests to one provider: at most `perMinute` begin in any 60 seconds. */
export class RequestQuota {
  readonly #perMinute: number
  readonly #now: () => number
  /** When the last requests began or will begin; ascending. */
  readonly #starts: number[] = []
  /** Turns that were given back; ascending. */
  readonly #free: number[] = []

  constructor (perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /** Takes the next turn; null, without taking one, if it is more than `maxWaitMs` away. */
  take (maxWaitMs: number): RequestTurn | null {
    const now = this.#now()
    while (this.#starts.length > 0 && (this.#starts[0] as number) <= now - 60_000) this.#starts.shift()
    while (this.#free.length > 0 && (this.#free[0] as number) < now) this.#drop(this.#free.shift() as number)
    const nth = this.#starts.at(-this.#perMinute)
    const startAt = this.#free[0] ?? Math.max(now, nth === undefined ? 0 : nth + 60_000)
    if (startAt - now > maxWaitMs) return null
    if (this.#free.length > 0) this.#free.shift()
    else this.#starts.push(startAt)
    let isKept = true
    return {
      inMs: startAt - now,
      giveBack: () => {
        if (isKept) this.#free.splice(this.#free.findIndex((other) => other > startAt) >>> 0, 0, startAt)
        isKept = false
      }
    }
  }

  /** The free turn has passed without being taken. */
  #drop (startAt: number): void {
    const place = this.#starts.lastIndexOf(startAt)
    if (place >= 0) this.#starts.splice(place, 1)
  }
}
