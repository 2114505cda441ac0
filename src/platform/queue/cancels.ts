import { decodeMessage } from './codec.ts'
import type { CancelMessage } from './job-messages.ts'
import type { Link } from './link.ts'
import type { Unsubscribe } from './queue.ts'

type CancelListener = (isDeleted: boolean, run: string | undefined) => void

/**
 * Cancels of all jobs through one subscription. Jobs are seldom cancelled, and one subscription for each run would cost
 * every small job two requests to the server.
 */
export class Cancels {
  readonly #link: Link
  readonly #listeners = new Map<string, Set<CancelListener>>()
  #isSubscribed = false

  constructor (link: Link) {
    this.#link = link
  }

  on (jobId: string, listener: CancelListener): Unsubscribe {
    if (!this.#isSubscribed) this.#subscribe()
    const own = this.#listeners.get(jobId) ?? new Set()
    this.#listeners.set(jobId, own.add(listener))
    return () => {
      own.delete(listener)
      if (own.size === 0 && this.#listeners.get(jobId) === own) this.#listeners.delete(jobId)
    }
  }

  #subscribe (): void {
    this.#isSubscribed = true
    this.#link.subscribe('cancel.*', undefined, ({ data }) => {
      const { jobId, deleted, run } = decodeMessage<CancelMessage>(data, 'cancel', ['jobId'])
      for (const listener of [...this.#listeners.get(jobId) ?? []]) listener(deleted === true, run)
    })
  }
}
