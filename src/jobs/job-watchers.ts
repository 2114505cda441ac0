import { EventEmitter } from 'node:events'

/** Who waits for which job: long polls and event streams subscribe here, everything that changes a job or its progress notifies. */
export class JobWatchers {
  readonly #emitter = new EventEmitter().setMaxListeners(0)

  notify (jobId: string): void {
    this.#emitter.emit(jobId)
  }

  /** Calls the listener at each notification for the job, until the returned function is called. */
  subscribe (jobId: string, listener: () => void): () => void {
    this.#emitter.on(jobId, listener)
    return () => { this.#emitter.off(jobId, listener) }
  }

  /** Resolves at the next notification for the job, after `milliseconds`, or when `signal` aborts. */
  async next (jobId: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        this.#emitter.off(jobId, finish)
        signal.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, milliseconds)
      this.#emitter.on(jobId, finish)
      signal.addEventListener('abort', finish, { once: true })
    })
  }
}
