import { SpreadCalls } from '../../platform/turns/spread-calls.ts'

type Listener = () => void

/** Who waits for which job: long polls and event streams subscribe here, everything that changes a job or its progress notifies. */
export class JobWatchers {
  /** By job; true: is told of progress too. */
  readonly #listeners = new Map<string, Map<Listener, boolean>>()
  readonly #turns: SpreadCalls

  constructor (onError: (error: unknown) => void) {
    this.#turns = new SpreadCalls(onError)
  }

  /** The record of the job has changed, or is gone. */
  notify (jobId: string): void {
    for (const listener of this.#listeners.get(jobId)?.keys() ?? []) this.#turns.call(listener)
  }

  /** Its run is further; the record says what it said before. */
  notifyProgress (jobId: string): void {
    for (const [listener, ofProgress] of this.#listeners.get(jobId) ?? []) if (ofProgress) this.#turns.call(listener)
  }

  /**
   * Calls the listener after notifications for the job, until the returned function is called: soon, and once for several
   * that come together.
   */
  subscribe (jobId: string, listener: Listener, { ofProgress }: { ofProgress: boolean }): () => void {
    const own = this.#listeners.get(jobId) ?? new Map<Listener, boolean>()
    this.#listeners.set(jobId, own.set(listener, ofProgress))
    return () => {
      this.#turns.forget(listener)
      own.delete(listener)
      if (own.size === 0 && this.#listeners.get(jobId) === own) this.#listeners.delete(jobId)
    }
  }
}
