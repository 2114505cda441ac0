/** So many answers take about 5 ms. */
const callsOfTurn = 32

/**
 * Calls that come together, a few in each turn of the event loop: when a thousand wait for the same news, others have their
 * turn between them. A call that waits already is made once.
 */
export class InTurns {
  readonly #onError: (error: unknown) => void
  readonly #waiting = new Set<() => void>()
  #left = callsOfTurn
  #next: NodeJS.Immediate | undefined

  constructor (onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** At once while this turn has had few. */
  call (listener: () => void): void {
    this.#next ??= setImmediate(() => this.#turn())
    if (this.#left === 0) this.#waiting.add(listener)
    else this.#make(listener)
  }

  forget (listener: () => void): void {
    this.#waiting.delete(listener)
  }

  #turn (): void {
    this.#left = callsOfTurn
    this.#next = this.#waiting.size === 0 ? undefined : setImmediate(() => this.#turn())
    for (const listener of this.#waiting) {
      if (this.#left === 0) return
      this.#waiting.delete(listener)
      this.#make(listener)
    }
  }

  #make (listener: () => void): void {
    this.#left--
    try {
      listener()
    } catch (error) {
      this.#onError(error)
    }
  }
}
