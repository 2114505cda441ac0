import type { JobRecord } from './job-record.ts'

/** A small job takes a second at most, and a few on a busy machine. */
const slowJobMs = 5_000
/** For how many times as long as its slow run took, a tenant counts as slow. */
const slowTimes = 20

/**
 * Reports each run of a small job that has taken `mostMs`, and again after every further `mostMs`, until it ends. Knows
 * the tenants whose small jobs take long, however they were estimated.
 */
export class SmallRuns {
  readonly #mostMs: number
  readonly #slowMs: number
  readonly #onLong: (record: JobRecord) => void
  #isStopped = false
  readonly #runs = new Map<string, { tenant: string, run: string | null, beganMs: number, timer: NodeJS.Timeout }>()
  /** Until when a tenant counts as slow, on the clock of performance.now. */
  readonly #slowUntilMs = new Map<string, number>()

  constructor (mostMs: number, onLong: (record: JobRecord) => void, slowMs = slowJobMs) {
    this.#mostMs = mostMs
    this.#slowMs = slowMs
    this.#onLong = onLong
  }

  began (record: JobRecord): void {
    const { tenant, jobId, run, size } = record
    if (this.#isStopped || size !== 'small' || this.#runs.get(jobId)?.run === run) return
    this.ended(jobId)
    const timer = setInterval(() => this.#onLong(record), this.#mostMs)
    this.#runs.set(jobId, { tenant, run, beganMs: performance.now(), timer })
  }

  ended (jobId: string): void {
    const ended = this.#runs.get(jobId)
    if (ended === undefined) return
    clearInterval(ended.timer)
    this.#runs.delete(jobId)
    const nowMs = performance.now()
    const tookMs = nowMs - ended.beganMs
    if (tookMs > this.#slowMs) this.#slowUntilMs.set(ended.tenant, nowMs + slowTimes * tookMs)
  }

  /** Whether a small job of the tenant takes long, or one did a short while ago. */
  isSlow (tenant: string): boolean {
    const nowMs = performance.now()
    for (const { tenant: owner, beganMs } of this.#runs.values()) {
      if (owner === tenant && nowMs - beganMs > this.#slowMs) return true
    }
    if ((this.#slowUntilMs.get(tenant) ?? 0) > nowMs) return true
    this.#slowUntilMs.delete(tenant)
    return false
  }

  stop (): void {
    this.#isStopped = true
    for (const jobId of this.#runs.keys()) this.ended(jobId)
  }
}
