import type { Scope } from './scopes.ts'

/** Who a request comes from. One object per key as long as it is cached, so that it may serve as a map key. */
export interface Identity {
  /** The key's id; of a static key, 8 characters derived from it. */
  keyId: string
  /**
   * Whose data it works on; a key without a tenant has a slug of its own, and keys of the sandbox have one together.
   */
  tenant: string
  hasTenant: boolean
  scopes: ReadonlySet<Scope>
  /** When the key ends; null: when it is revoked. */
  expiresAtMs: number | null
}
