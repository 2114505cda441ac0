import type { Sealed } from '../../domain/sealed.ts'
import type { SealContext } from '../../platform/vault/vault.ts'

/**
 * | table | key | value |
 * |---|---|---|
 * | idempotency | tenant, route, digest of the key | SavedAnswer |
 * | idempotencyExpiry | time, tenant, route, digest | ExpiredEntry: forget the answer at that time |
 * | idempotencyBytes | tenant, time | AnswerBytes: of the answers that are forgotten in the span that ends then |
 */
export const idempotencyTables = ['idempotency', 'idempotencyExpiry', 'idempotencyBytes'] as const

export interface AnswerBytes {
  bytes: number
}

export interface SavedAnswer {
  v: 1
  /** SHA-256 of what was asked for. */
  fingerprint: string
  expiresAtMs: number
  /** The answer as JSON; it may hold credentials, such as a signed address. */
  answer: Sealed
}

/** What an answer is bound to. */
export function contextOf (record: ReadonlyArray<string | number>): SealContext {
  return ['idempotency', ...record.map(String)]
}
