/** Runs pieces of work one after the other, and takes only so many at a time. */
export class Turns {
  readonly #limit: number
  #held = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor (limit: number) {
    this.#limit = limit
  }

  /** The end of the work when its turn has come, or undefined at once when too many wait. */
  take<T> (work: () => Promise<T>): Promise<T> | undefined {
    if (this.#held >= this.#limit) return undefined
    this.#held++
    const end = this.#last.then(work).finally(() => { this.#held-- })
    this.#last = end.catch(() => undefined)
    return end
  }

  /** Resolves when everything that was taken so far has ended. */
  async idle (): Promise<void> {
    await this.#last
  }
}
