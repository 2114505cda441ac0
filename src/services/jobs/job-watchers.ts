import { SpreadCalls } from '../../platform/turns/spread-calls.ts'

type Listener = () => void

/** A run says four times a second how far it is; each of many readers is told as often as it looks. */
const tellEveryMs = 1_000

/**
 * Who waits for which job: long polls and event streams subscribe here, everything that changes a job or its progress
 * notifies.
 */
export class JobWatchers {
  /** By job; true: is told of progress too. */
  readonly #listeners = new Map<string, Map<Listener, boolean>>()
  readonly #turns: SpreadCalls
  readonly #progressMs: number
  /** Jobs whose progress was told within that time; true: there is more to tell. */
  readonly #told = new Map<string, boolean>()

  /** `progressMs`: the progress of a job is told so far apart. */
  constructor (onError: (error: unknown) => void, progressMs = tellEveryMs) {
    this.#turns = new SpreadCalls(onError)
    this.#progressMs = progressMs
  }

  /** The record of the job has changed, or is gone. */
  notify (jobId: string): void {
    for (const listener of this.#listeners.get(jobId)?.keys() ?? []) this.#turns.call(listener)
  }

  /** Its run is further; the record says what it said before. Soon, or a second after the last time. */
  notifyProgress (jobId: string): void {
    if (!this.#listeners.has(jobId)) return
    if (this.#told.has(jobId)) {
      this.#told.set(jobId, true)
      return
    }
    this.#told.set(jobId, false)
    setTimeout(() => {
      const hasMore = this.#told.get(jobId) === true
      this.#told.delete(jobId)
      if (hasMore) this.notifyProgress(jobId)
    }, this.#progressMs).unref()
    for (const [listener, ofProgress] of this.#listeners.get(jobId) ?? []) if (ofProgress) this.#turns.call(listener)
  }

  /**
   * Calls the listener after notifications for the job, until the returned function is called: soon, and once for
   * several that come together.
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
