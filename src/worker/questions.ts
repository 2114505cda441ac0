import type { Relay, RelayedAnswer } from '../sources/covariates/http/relayed-source.ts'
import type { FromSlot } from './slot-messages.ts'

/** Questions of a slot that the worker has not answered yet. */
export class Questions {
  readonly #send: (message: FromSlot) => void
  readonly #waiting = new Map<number, (answer: RelayedAnswer | undefined) => void>()
  #asked = 0

  constructor (send: (message: FromSlot) => void) {
    this.#send = send
  }

  /** The relay for the task with this id. */
  of (id: number): Relay {
    return async (question) => {
      const ask = ++this.#asked
      const answer = await new Promise<RelayedAnswer | undefined>((resolve) => {
        this.#waiting.set(ask, resolve)
        this.#send({ type: 'ask', id, ask, question })
      })
      if (answer === undefined) throw new Error('the worker could not hand over what a provider said')
      return answer
    }
  }

  answer (ask: number, answer: RelayedAnswer | undefined): void {
    this.#waiting.get(ask)?.(answer)
    this.#waiting.delete(ask)
  }
}
