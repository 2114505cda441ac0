import { SpreadCalls } from '../../platform/turns/spread-calls.ts'

type Listener = () => void

/** A run reports progress four times a second, but each of many readers is notified only this often. */
const tellEveryMs = 1_000

/** Long polls and event streams subscribe to jobs here. Everything that changes a job or its progress notifies them. */
export class JobWatchers {
  /** Job id -> its listeners; true: also notified of progress. */
  readonly #listeners = new Map<string, Map<Listener, boolean>>()
  readonly #turns: SpreadCalls
  readonly #progressMs: number
  /** Jobs whose progress was reported within the interval; true: there is more to report. */
  readonly #told = new Map<string, boolean>()

  /** `progressMs`: the interval between progress notifications of a job. */
  constructor (onError: (error: unknown) => void, progressMs = tellEveryMs) {
    this.#turns = new SpreadCalls(onError)
    this.#progressMs = progressMs
  }

  /** Call it when the record of the job has changed or is gone. */
  notify (jobId: string): void {
    for (const listener of this.#listeners.get(jobId)?.keys() ?? []) this.#turns.call(listener)
  }

  /**
   * Call it when the run has progressed and the record is unchanged. Listeners are called soon, or a second after the
   * last time.
   */
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
   * Calls the listener soon after notifications for the job, once for several at the same time, until the returned
   * function is called.
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
