import type { Scope } from './scopes.ts'

/**
 * `keys`: [id] -> KeyRecord. `keyUses`: [id] -> KeyUse, apart from it so that noting a use never conflicts with a
 * rotation.
 */
export const keyTables = ['keys', 'keyUses'] as const

/** Times are milliseconds since 1970, UTC. No field allows the key to be rebuilt. */
export interface KeyRecord {
  v: 1
  id: string
  tenant: string
  scopes: Scope[]
  name: string | null
  /** HMAC-SHA256 of the whole key under the pepper. */
  hash: Uint8Array
  /** The key that a rotation replaced, valid until then. */
  previous: { hash: Uint8Array, untilMs: number } | null
  createdAtMs: number
  rotatedAtMs: number | null
  expiresAtMs: number | null
  /** A revoked key stays listed until it is forgotten (`tenant-keys.ts`). */
  revokedAtMs: number | null
}

/** Whole minutes. */
export interface KeyUse {
  lastUsedAtMs: number
}

/** What lists and the command line show. */
export interface KeySummary {
  id: string
  tenant: string
  scopes: Scope[]
  name: string | null
  createdAtMs: number
  rotatedAtMs: number | null
  expiresAtMs: number | null
  revokedAtMs: number | null
  lastUsedAtMs: number | null
}
