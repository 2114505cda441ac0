import type { Scope } from './scopes.ts'

/**
 * The caller of a request. There is one object per key as long as the key is cached, so that it may serve as a map key.
 */
export interface Identity {
  /** The key's id; for a static key, 8 characters derived from it. */
  keyId: string
  /** The owner of the data. A key without a tenant has a slug of its own; all sandbox keys share one. */
  tenant: string
  hasTenant: boolean
  scopes: ReadonlySet<Scope>
  /** When the key expires; null: only when it is revoked. */
  expiresAtMs: number | null
}
