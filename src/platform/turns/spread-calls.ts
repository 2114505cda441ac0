import { LoopSlices } from './loop-slices.ts'

/**
 * Calls that come together, spread over turns of the event loop: when a thousand wait for the same news, others have
 * their turn between them. A call that waits already is made once.
 */
export class SpreadCalls {
  readonly #onError: (error: unknown) => void
  readonly #slices = new LoopSlices()
  readonly #waiting = new Set<() => void>()

  constructor (onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** At once while this turn has had few. */
  call (listener: () => void): void {
    if (this.#waiting.has(listener)) return
    this.#waiting.add(listener)
    this.#slices.take('calls', () => {
      if (this.#waiting.delete(listener)) this.#make(listener)
    })
  }

  forget (listener: () => void): void {
    this.#waiting.delete(listener)
  }

  #make (listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#onError(error)
    }
  }
}
