const windowMs = 60_000
/** The share that one tenant may have of the requests that others leave. */
const shareOfTenant = 0.75

type Tenant = string | undefined

interface Start {
  tenant: Tenant
  atMs: number
}

/**
 * Limits the requests to one provider: at most `perMinute` begin in any 60 seconds. A tenant may begin three quarters
 * of what others leave, and at least one, so that a tenant with many questions does not make others wait for a minute.
 * The tenant that has begun the fewest requests goes first, otherwise tenants take turns. Requests of no tenant are
 * bound by the limit of all only.
 */
export class RequestQuota {
  readonly #perMinute: number
  readonly #now: () => number
  /** The requests of the last 60 seconds, in order. */
  readonly #starts: Start[] = []
  /** The number of `#starts` by tenant. */
  readonly #begun = new Map<Tenant, number>()
  /** What starts the waiting requests of each tenant, in order of arrival; the tenants in the order of their turns. */
  readonly #waiting = new Map<Tenant, Set<() => void>>()
  #timer: NodeJS.Timeout | undefined

  constructor (perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /**
   * Resolves with true when the request may begin, or with false after `maxWaitMs`. Rejects with the signal's reason.
   */
  async take (tenant: Tenant, maxWaitMs: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted()
    return await new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        this.#stopWaiting(tenant, start)
        settle()
      }
      const abort = (): void => end(() => reject(signal.reason))
      const timer = setTimeout(() => end(() => resolve(false)), maxWaitMs)
      const start = (): void => end(() => resolve(true))
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.set(tenant, (this.#waiting.get(tenant) ?? new Set()).add(start))
      this.#startNext()
    })
  }

  /** Starts all that may begin now, and sets the timer for the next. */
  #startNext (): void {
    clearTimeout(this.#timer)
    const nowMs = this.#now()
    while (this.#starts[0] !== undefined && this.#starts[0].atMs <= nowMs - windowMs) this.#forgetOldest()
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#start(...next, nowMs)
    const [oldest] = this.#starts
    if (this.#waiting.size === 0 || oldest === undefined) return
    this.#timer = setTimeout(() => this.#startNext(), oldest.atMs + windowMs - nowMs)
  }

  #start (tenant: Tenant, own: Set<() => void>, nowMs: number): void {
    this.#starts.push({ tenant, atMs: nowMs })
    this.#begun.set(tenant, this.#begunBy(tenant) + 1)
    // At the end, so that other tenants come first.
    this.#waiting.delete(tenant)
    this.#waiting.set(tenant, own)
    const [start] = own
    start?.()
  }

  #stopWaiting (tenant: Tenant, start: () => void): void {
    const own = this.#waiting.get(tenant)
    own?.delete(start)
    if (own?.size === 0) this.#waiting.delete(tenant)
  }

  /** The tenant whose turn it is, and its waiting requests. */
  #next (): [Tenant, Set<() => void>] | undefined {
    if (this.#starts.length >= this.#perMinute) return undefined
    let next: [Tenant, Set<() => void>] | undefined
    for (const [tenant, own] of this.#waiting) {
      const begun = this.#begunBy(tenant)
      if (this.#mayBegin(tenant, begun) && (next === undefined || begun < this.#begunBy(next[0]))) next = [tenant, own]
    }
    return next
  }

  #mayBegin (tenant: Tenant, begun: number): boolean {
    const left = this.#perMinute - (this.#starts.length - begun)
    return tenant === undefined || begun + 1 <= Math.max(1, left * shareOfTenant)
  }

  #begunBy (tenant: Tenant): number {
    return this.#begun.get(tenant) ?? 0
  }

  #forgetOldest (): void {
    const oldest = this.#starts.shift() as Start
    const begun = this.#begunBy(oldest.tenant) - 1
    if (begun > 0) this.#begun.set(oldest.tenant, begun)
    else this.#begun.delete(oldest.tenant)
  }
}
