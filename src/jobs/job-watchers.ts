import { EventEmitter } from 'node:events'

/** Who waits for which job: long polls subscribe here, everything that commits a change of state notifies. */
export class JobWatchers {
  readonly #emitter = new EventEmitter().setMaxListeners(0)

  notify (jobId: string): void {
    this.#emitter.emit(jobId)
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
