import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { AnswerBytes } from './tables.ts'

interface AnswerRoomOptions {
  metadata: MetadataStore
  /** Limit for each tenant. */
  maxBytes: number
  keepMs: number
  now: () => number
}

/** Bytes are added up by this many spans of the retention time, and all of a span expire together. */
const spans = 12
/** Rough size of the keys and indexes of one answer. */
const recordBytes = 500

/**
 * Limits the saved answers of each tenant. An answer has to stay for its full time, because a repeat that finds none
 * would do everything again. So a tenant at its limit gets no further keys, rather than losing its oldest answers.
 */
export class AnswerRoom {
  readonly #options: AnswerRoomOptions
  readonly #sums: Table<AnswerBytes>

  constructor (options: AnswerRoomOptions) {
    this.#options = options
    this.#sums = options.metadata.table('idempotencyBytes')
  }

  /** Call it before the work whose answer would be saved. Throws rate_limited until the oldest answers expire. */
  check (tenant: string): void {
    const nowMs = this.#options.now()
    const sums = [...this.#sums.range({ start: [tenant, nowMs + 1], end: [tenant, ''] })]
    const bytes = sums.reduce((sum, { value }) => sum + value.bytes, 0)
    if (bytes < this.#options.maxBytes) return
    throw new TabcastError('rate_limited',
      'The stored answers for Idempotency-Keys of your tenant have reached their limit.', {
      reason: 'idempotency_bytes',
      suggestion: 'Wait until the oldest expire, or ask the operator for more (TABCAST_IDEMPOTENCY_MAX_BYTES).',
      retryAfterSeconds: Math.max(1, Math.ceil((Number(sums[0]?.key[1]) - nowMs) / 1000))
    })
  }

  /** Call it in the transaction that saves the answer. */
  add (tx: Transaction, tenant: string, expiresAtMs: number, answerBytes: number): void {
    for (const { key } of tx.range(this.#sums, { start: [tenant], end: [tenant, this.#options.now() + 1] })) {
      tx.delete(this.#sums, key)
    }
    const spanMs = Math.ceil(this.#options.keepMs / spans)
    const endMs = Math.ceil(expiresAtMs / spanMs) * spanMs
    const before = tx.get(this.#sums, [tenant, endMs])?.value.bytes ?? 0
    tx.put(this.#sums, [tenant, endMs], { bytes: before + answerBytes + recordBytes })
  }
}
