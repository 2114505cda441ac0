import type { JobRecord } from './job-record.ts'

/** Reports each run of a small job that has taken `mostMs`, and again after every further `mostMs`, until it ends. */
export class SmallRuns {
  readonly #mostMs: number
  readonly #onLong: (record: JobRecord) => void
  #isStopped = false
  readonly #runs = new Map<string, { run: string | null, timer: NodeJS.Timeout }>()

  constructor (mostMs: number, onLong: (record: JobRecord) => void) {
    this.#mostMs = mostMs
    this.#onLong = onLong
  }

  began (record: JobRecord): void {
    const { jobId, run, size } = record
    if (this.#isStopped || size !== 'small' || this.#runs.get(jobId)?.run === run) return
    this.ended(jobId)
    this.#runs.set(jobId, { run, timer: setInterval(() => this.#onLong(record), this.#mostMs) })
  }

  ended (jobId: string): void {
    clearInterval(this.#runs.get(jobId)?.timer)
    this.#runs.delete(jobId)
  }

  stop (): void {
    this.#isStopped = true
    for (const jobId of this.#runs.keys()) this.ended(jobId)
  }
}
