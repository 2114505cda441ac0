import type { WorkerMessage } from '../../platform/queue/worker-message.ts'

interface Seen {
  message: WorkerMessage
  atMs: number
}

/**
 * Known workers and their runs, from their announcements. A worker that has been silent for `silentMs` (monotonic
 * clock) counts as gone. Nothing here is durable: after a restart it fills up as soon as the workers have answered.
 */
export class WorkerPresence {
  readonly #silentMs: number
  readonly #now: () => number
  readonly #workers = new Map<string, Seen>()
  /** Run id -> its last sign of life. */
  readonly #runs = new Map<string, number>()

  constructor (silentMs: number, now: () => number = () => performance.now()) {
    this.#silentMs = silentMs
    this.#now = now
  }

  announce (message: WorkerMessage): void {
    const atMs = this.#now()
    this.#workers.set(message.workerId, { message, atMs })
    for (const { run } of message.running) this.#runs.set(run, atMs)
  }

  sawRun (run: string): void {
    this.#runs.set(run, this.#now())
  }

  forgetRun (run: string): void {
    this.#runs.delete(run)
  }

  /** Whether the run gave a sign of life within the last `withinMs`. */
  isRunAlive (run: string, withinMs: number): boolean {
    const atMs = this.#runs.get(run)
    return atMs !== undefined && this.#now() - atMs < withinMs
  }

  /** Workers that can be heard, including those that accept nothing new. */
  heard (): WorkerMessage[] {
    const now = this.#now()
    for (const [workerId, { atMs }] of this.#workers) if (now - atMs > this.#silentMs) this.#workers.delete(workerId)
    return [...this.#workers.values()].map(({ message }) => message)
  }

  /** Workers that accept work. */
  available (): WorkerMessage[] {
    return this.heard().filter(({ draining }) => !draining)
  }

  /** Forgets runs that have been silent for long, so that the map does not grow. */
  prune (olderThanMs: number): void {
    const now = this.#now()
    for (const [run, atMs] of this.#runs) if (now - atMs > olderThanMs) this.#runs.delete(run)
  }
}
