/** For how many times as long as its slow run took, a tenant counts as slow. */
const slowTimes = 20
/** Above this number, tenants that are not slow are forgotten. */
const maxTenants = 10_000

/** The tenants whose runs took long a short while ago, however they were estimated. */
export class SlowTenants {
  readonly #slowMs: number
  readonly #now: () => number
  readonly #tenants = new Map<string, { lastMs: number, slowUntilMs: number }>()

  /** `slowMs`: a longer run makes its tenant slow for a while. */
  constructor (slowMs: number, now = () => performance.now()) {
    this.#slowMs = slowMs
    this.#now = now
  }

  ran (tenant: string, tookMs: number): void {
    const slowUntilMs = tookMs > this.#slowMs ? this.#now() + slowTimes * tookMs : 0
    this.#tenants.set(tenant, {
      lastMs: tookMs,
      slowUntilMs: Math.max(slowUntilMs, this.#tenants.get(tenant)?.slowUntilMs ?? 0)
    })
    if (this.#tenants.size > maxTenants) this.#forget()
  }

  /** Milliseconds of the tenant's last run; 0 without one. */
  lastMs (tenant: string): number {
    return this.#tenants.get(tenant)?.lastMs ?? 0
  }

  /** Whether a run of the tenant took long a short while ago. */
  has (tenant: string): boolean {
    return (this.#tenants.get(tenant)?.slowUntilMs ?? 0) > this.#now()
  }

  #forget (): void {
    for (const tenant of this.#tenants.keys()) if (!this.has(tenant)) this.#tenants.delete(tenant)
  }
}
