import type { Scope } from './scopes.ts'

/**
 * `keys`: [id] -> KeyRecord. `keyUses`: [id] -> KeyUse, in a table of its own, so that recording a use never conflicts
 * with a rotation.
 */
export const keyTables = ['keys', 'keyUses'] as const

/** Times are milliseconds since 1970, UTC. The key cannot be rebuilt from any field. */
export interface KeyRecord {
  v: 1
  id: string
  tenant: string
  scopes: Scope[]
  name: string | null
  /** HMAC-SHA256 of the whole key under the pepper. */
  hash: Uint8Array
  /** The previous key, valid for a while after a rotation. */
  previous: { hash: Uint8Array, untilMs: number } | null
  createdAtMs: number
  rotatedAtMs: number | null
  expiresAtMs: number | null
  /** A revoked key stays listed until it is forgotten (`tenant-keys.ts`). */
  revokedAtMs: number | null
}

/** Rounded down to the minute. */
export interface KeyUse {
  lastUsedAtMs: number
}

/** A key as lists and the command line show it. */
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
