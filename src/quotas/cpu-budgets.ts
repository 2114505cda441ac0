import { TabcastError } from '../errors.ts'

/** What processor time went into while a caller waited; `places`: look-ups of cities and countries; `api`: the work of the api process itself. */
export const syncWork = ['check', 'preview', 'profile', 'inspect', 'places', 'api'] as const
export type SyncWork = typeof syncWork[number]

/** Told of processor time that was used, milliseconds of a core. */
export type CpuObserver = (work: SyncWork, cpuMs: number) => void

interface Bucket { balanceMs: number, atMs: number }

/** Above it, buckets that are full again are forgotten: a tenant who is not known has a full one. */
const maxBuckets = 10_000

/**
 * Processor time that each tenant may take while its callers wait, as milliseconds of a core in a bucket that fills evenly. What a request
 * takes is known when it has been answered, so a tenant goes into debt with its last one and waits until that is paid.
 */
export class CpuBudgets {
  readonly #perMinuteMs: number
  readonly #observer: CpuObserver
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  /** `perMinuteMs`: Infinity has no end. At most a minute's worth is saved up. */
  constructor ({ perMinuteMs, observer = () => undefined, now = () => performance.now() }: { perMinuteMs: number, observer?: CpuObserver | undefined, now?: () => number }) {
    this.#perMinuteMs = perMinuteMs
    this.#observer = observer
    this.#now = now
  }

  /** Throws rate_limited while nothing is left, before any work. */
  check (tenant: string): void {
    if (this.#balanceMs(tenant) <= 0) throw this.#refusal(tenant)
  }

  /**
   * The same for a request that has waited for its turn. One that was taken is finished, and a batch is many turns: it is refused only when
   * others that came with it have used a whole minute's worth more than there was.
   */
  checkTurn (tenant: string): void {
    if (this.#balanceMs(tenant) <= -this.#perMinuteMs) throw this.#refusal(tenant)
  }

  /** `cpuMs` undefined: not measured, by a worker of before. */
  spend (tenant: string, work: SyncWork, cpuMs: number | undefined): void {
    if (cpuMs === undefined || cpuMs <= 0) return
    this.#observer(work, cpuMs)
    if (this.#perMinuteMs === Infinity) return
    const balanceMs = this.#balanceMs(tenant) - cpuMs
    this.#buckets.set(tenant, { balanceMs, atMs: this.#now() })
    if (this.#buckets.size > maxBuckets) this.#forgetFull()
  }

  #refusal (tenant: string): TabcastError {
    const waitMs = -this.#balanceMs(tenant) / this.#perMinuteMs * 60_000
    const detail = `Requests of this tenant that are answered at once have used the ${this.#perMinuteMs} ms of processor time that there are for them each minute.`
    return new TabcastError('rate_limited', detail, {
      retryAfterSeconds: Math.floor(waitMs / 1000) + 1, reason: 'cpu_time', suggestion: 'Wait as Retry-After says; jobs that were taken go on. Smaller files and fewer previews take less.'
    })
  }

  #balanceMs (tenant: string): number {
    const bucket = this.#buckets.get(tenant)
    if (bucket === undefined) return this.#perMinuteMs
    return Math.min(this.#perMinuteMs, bucket.balanceMs + (this.#now() - bucket.atMs) / 60_000 * this.#perMinuteMs)
  }

  #forgetFull (): void {
    for (const tenant of this.#buckets.keys()) if (this.#balanceMs(tenant) >= this.#perMinuteMs) this.#buckets.delete(tenant)
  }
}
