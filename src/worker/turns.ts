/** Runs so many pieces of work side by side, the others after them in the order they came, and holds only so many at a time. */
export class Turns {
  readonly #limit: number
  readonly #lanes: number
  readonly #held = new Set<Promise<unknown>>()
  readonly #waiting: Array<() => void> = []
  #running = 0

  constructor (limit: number, lanes = 1) {
    this.#limit = limit
    this.#lanes = lanes
  }

  /** The end of the work when its turn has come, or undefined at once when too many wait. */
  take<T> (work: () => Promise<T>): Promise<T> | undefined {
    if (this.#held.size >= this.#limit) return undefined
    const end = this.#run(work)
    const settled: Promise<unknown> = end.catch(() => undefined).then(() => this.#held.delete(settled))
    this.#held.add(settled)
    return end
  }

  /** Nothing is held: neither under way nor waiting. */
  get isIdle (): boolean {
    return this.#held.size === 0
  }

  /** Resolves when everything that was taken so far has ended. */
  async idle (): Promise<void> {
    await Promise.all(this.#held)
  }

  async #run<T> (work: () => Promise<T>): Promise<T> {
    // Who waits gets the lane of the one that wakes it, so that nobody who comes later can slip in between.
    if (this.#running >= this.#lanes) await new Promise<void>((resolve) => { this.#waiting.push(resolve) })
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
