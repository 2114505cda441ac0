import { LoopSlices } from './loop-slices.ts'

/**
 * Spreads calls over turns of the event loop: if a thousand listeners wait for the same news, other work gets turns
 * between them. A call that is already waiting is made once.
 */
export class SpreadCalls {
  readonly #onError: (error: unknown) => void
  readonly #slices = new LoopSlices()
  readonly #waiting = new Set<() => void>()

  constructor (onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Calls at once if this turn has had few calls. */
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
