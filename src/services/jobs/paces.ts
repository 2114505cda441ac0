/** Bounds of a pace. */
const slowest = 10
const fastest = 0.02
/** Added to both times, because very short jobs take some milliseconds whatever they compute. */
const leastMs = 10
/** Above this number, the tenant that ran longest ago is forgotten. */
const maxTenants = 10_000

/**
 * How long the jobs of a tenant take, relative to what was expected of them. Estimates are rough, and err alike for
 * jobs that are alike, such as those that a tenant sends every night.
 */
export class Paces {
  readonly #paces = new Map<string, number>()

  /** 1 for a tenant without runs. */
  of (tenant: string): number {
    return this.#paces.get(tenant) ?? 1
  }

  /** The last run counts as much as all runs before it: their geometric mean. */
  ran (tenant: string, expectedMs: number, tookMs: number): void {
    const pace = Math.sqrt(this.of(tenant) * (tookMs + leastMs) / (expectedMs + leastMs))
    this.#paces.delete(tenant)
    this.#paces.set(tenant, Math.min(slowest, Math.max(fastest, pace)))
    const [oldest] = this.#paces.keys()
    if (this.#paces.size > maxTenants && oldest !== undefined) this.#paces.delete(oldest)
  }
}
