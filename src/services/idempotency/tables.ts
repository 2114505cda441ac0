import type { Sealed } from '../../domain/sealed.ts'
import type { SealContext } from '../../platform/vault/vault.ts'

/**
 * | table | key | value |
 * |---|---|---|
 * | idempotency | tenant, route, digest of the key | SavedAnswer |
 * | idempotencyExpiry | time, tenant, route, digest | ExpiredEntry: the answer expires at that time |
 * | idempotencyBytes | tenant, time | AnswerBytes: the bytes of the answers in the span that ends at that time |
 */
export const idempotencyTables = ['idempotency', 'idempotencyExpiry', 'idempotencyBytes'] as const

export interface AnswerBytes {
  bytes: number
}

export interface SavedAnswer {
  v: 1
  /** SHA-256 of the request. */
  fingerprint: string
  expiresAtMs: number
  /** The answer as JSON; it may hold credentials, such as a signed address. */
  answer: Sealed
}

/** Binds the sealed answer to its record key. */
export function contextOf (record: ReadonlyArray<string | number>): SealContext {
  return ['idempotency', ...record.map(String)]
}
