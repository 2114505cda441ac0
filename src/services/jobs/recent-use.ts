/** What a tenant used counts half after this time. */
const halfLifeMs = 10_000
/** For how many times as long as its slow run took, a tenant counts as slow. */
const slowTimes = 20
/** Above this number, tenants with next to no use are forgotten. */
const maxTenants = 10_000
/** Less is no use: such tenants take turns, whoever of them used a little more. */
const negligibleMs = 100

interface Use {
  usedMs: number
  atMs: number
  lastMs: number
  slowUntilMs: number
}

/**
 * How much time of slots tenants took lately, and whose runs took long. Estimates can be wrong, measured times cannot,
 * so turns and bounds follow these.
 */
export class RecentUse {
  readonly #slowMs: number
  readonly #now: () => number
  readonly #tenants = new Map<string, Use>()

  /** `slowMs`: a longer run makes its tenant slow for a while. */
  constructor (slowMs: number, now = () => performance.now()) {
    this.#slowMs = slowMs
    this.#now = now
  }

  ran (tenant: string, tookMs: number): void {
    const atMs = this.#now()
    const slowUntilMs = tookMs > this.#slowMs ? atMs + slowTimes * tookMs : 0
    this.#tenants.set(tenant, {
      usedMs: this.#fadedMs(tenant) + tookMs,
      atMs,
      lastMs: tookMs,
      slowUntilMs: Math.max(slowUntilMs, this.#tenants.get(tenant)?.slowUntilMs ?? 0)
    })
    if (this.#tenants.size > maxTenants) this.#forget()
  }

  /** Milliseconds of recent runs; older ones count less, and few count as none. */
  usedMs (tenant: string): number {
    const usedMs = this.#fadedMs(tenant)
    return usedMs < negligibleMs ? 0 : usedMs
  }

  /** Milliseconds of the tenant's last run; 0 without one. */
  lastMs (tenant: string): number {
    return this.#tenants.get(tenant)?.lastMs ?? 0
  }

  /** Whether a run of the tenant took long a short while ago. */
  isSlow (tenant: string): boolean {
    return (this.#tenants.get(tenant)?.slowUntilMs ?? 0) > this.#now()
  }

  #fadedMs (tenant: string): number {
    const use = this.#tenants.get(tenant)
    return use === undefined ? 0 : use.usedMs * 2 ** ((use.atMs - this.#now()) / halfLifeMs)
  }

  #forget (): void {
    for (const tenant of this.#tenants.keys()) {
      if (this.usedMs(tenant) === 0 && !this.isSlow(tenant)) this.#tenants.delete(tenant)
    }
  }
}
