/** Keys that work which a tenant may have: bounds what it costs to list them. */
export const maxKeysPerTenant = 200

/**
 * Which ids belong to which tenant, in memory: the record has keys by their id alone, and no request of one tenant may walk
 * through the keys of all. Revoked and expired ones are not in it for long.
 */
export class TenantKeys {
  readonly #ids = new Map<string, Set<string>>()

  of (tenant: string): ReadonlySet<string> {
    return this.#ids.get(tenant) ?? new Set()
  }

  add (tenant: string, id: string): void {
    const ids = this.#ids.get(tenant) ?? new Set<string>()
    ids.add(id)
    this.#ids.set(tenant, ids)
  }

  remove (tenant: string, id: string): void {
    const ids = this.#ids.get(tenant)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(tenant)
  }
}
