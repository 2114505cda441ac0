import type { JobRecord } from './job-record.ts'
import { SlowTenants } from './slow-tenants.ts'

/** A small job takes a second at most, and two on a busy machine. */
const slowJobMs = 2_000
/** Jobs of a tenant whose last one took longer delay whatever waits behind them. */
const heavyJobMs = 100

/**
 * Reports each run of a small job that has taken `mostMs`, and again after every further `mostMs`, until it ends. Knows
 * what tenants' small jobs took lately, however they were estimated.
 */
export class SmallRuns {
  readonly #mostMs: number
  readonly #slowMs: number
  readonly #onLong: (record: JobRecord) => void
  #isStopped = false
  readonly #runs = new Map<string, { tenant: string, run: string | null, beganMs: number, timer: NodeJS.Timeout }>()
  readonly #slow: SlowTenants

  constructor (mostMs: number, onLong: (record: JobRecord) => void, slowMs = slowJobMs) {
    this.#mostMs = mostMs
    this.#slowMs = slowMs
    this.#onLong = onLong
    this.#slow = new SlowTenants(slowMs)
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
    this.#slow.ran(ended.tenant, performance.now() - ended.beganMs)
  }

  /** Whether jobs of the tenant, like its last one, delay what waits behind them. */
  isHeavy (tenant: string): boolean {
    return this.#slow.lastMs(tenant) > heavyJobMs
  }

  /** Whether a small job of the tenant takes long, or one did a short while ago. */
  isSlow (tenant: string): boolean {
    const nowMs = performance.now()
    for (const { tenant: owner, beganMs } of this.#runs.values()) {
      if (owner === tenant && nowMs - beganMs > this.#slowMs) return true
    }
    return this.#slow.has(tenant)
  }

  stop (): void {
    this.#isStopped = true
    for (const jobId of this.#runs.keys()) this.ended(jobId)
  }
}
