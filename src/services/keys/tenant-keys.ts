/** The most valid keys of a tenant. It limits what a list costs. */
export const maxKeysPerTenant = 200
/** The most ended (revoked or expired) keys of a tenant that stay on record. The one that ended first goes first. */
export const maxEndedKeysPerTenant = 1000
/**
 * How long an ended key stays on record, for the command line. The audit log keeps who made and revoked it for its own
 * time.
 */
export const endedKeyDays = 90

const endedKeyMs = endedKeyDays * 86_400_000

/**
 * The keys of each tenant and when each ends, in memory. The record only finds keys by id, and no request of one tenant
 * may walk through the keys of all.
 */
export class TenantKeys {
  readonly #ends = new Map<string, Map<string, number>>()

  /** Adds a key or changes its end. `endsAtMs`: when it is revoked or expires; Infinity: never. */
  add (tenant: string, id: string, endsAtMs: number): void {
    const ends = this.#ends.get(tenant) ?? new Map<string, number>()
    ends.set(id, endsAtMs)
    this.#ends.set(tenant, ends)
  }

  remove (tenant: string, id: string): void {
    const ends = this.#ends.get(tenant)
    ends?.delete(id)
    if (ends?.size === 0) this.#ends.delete(tenant)
  }

  tenants (): string[] {
    return [...this.#ends.keys()]
  }

  working (tenant: string, nowMs: number): string[] {
    return [...this.#ends.get(tenant) ?? []].filter(([, endsAtMs]) => endsAtMs > nowMs).map(([id]) => id)
  }

  /** Keys that ended long ago, and the oldest of too many, in the order in which they ended. */
  overdue (tenant: string, nowMs: number): string[] {
    const ended = [...this.#ends.get(tenant) ?? []].filter(([, endsAtMs]) => endsAtMs <= nowMs).sort(([, a], [, b]) =>
      a - b
    )
    const surplus = ended.length - maxEndedKeysPerTenant
    return ended.filter(([, endsAtMs], index) => index < surplus || endsAtMs <= nowMs - endedKeyMs).map(([id]) => id)
  }
}
