/** Keys that work which a tenant may have: bounds what it costs to list them. */
export const maxKeysPerTenant = 200
/** Keys of a tenant that were revoked or have expired and are still on record; the one that ended first goes first. */
export const maxEndedKeysPerTenant = 1000
/**
 * For so long an ended key stays listed by the command line. Who made and revoked it is in the audit log for its own
 * time.
 */
export const endedKeyDays = 90

const endedKeyMs = endedKeyDays * 86_400_000

/**
 * Which ids belong to which tenant and when each ends, in memory: the record has keys by their id alone, and no
 * request of one tenant may walk through the keys of all.
 */
export class TenantKeys {
  readonly #ends = new Map<string, Map<string, number>>()

  /**
   * `endsAtMs`: when it is revoked or expires; Infinity: it does not. Of an id that is there already, this is the new
   * end.
   */
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

  /** Those that ended long ago, and the oldest of too many; the one that ended first comes first. */
  overdue (tenant: string, nowMs: number): string[] {
    const ended = [...this.#ends.get(tenant) ?? []].filter(([, endsAtMs]) => endsAtMs <= nowMs).sort(([, a], [, b]) =>
      a - b
    )
    const surplus = ended.length - maxEndedKeysPerTenant
    return ended.filter(([, endsAtMs], index) => index < surplus || endsAtMs <= nowMs - endedKeyMs).map(([id]) => id)
  }
}
