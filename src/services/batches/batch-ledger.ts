import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import type { BatchRecord } from './batch-record.ts'

/** batches: tenant, batch id -> BatchRecord. */
export const batchTables = ['batches'] as const

/**
 * Batches are written in the transactions of their jobs: a batch is recorded with all of its jobs and removed with the
 * last.
 */
export class BatchLedger {
  readonly #batches: Table<BatchRecord>

  constructor (metadata: MetadataStore) {
    this.#batches = metadata.table('batches')
  }

  get (tenant: string, batchId: string): BatchRecord | undefined {
    return this.#batches.get([tenant, batchId])?.value
  }

  create (tx: Transaction, record: BatchRecord): void {
    tx.put(this.#batches, [record.tenant, record.batchId], record)
  }

  readonly follower: JobFollower = {
    buried: (tx, { tenant, batch }) => {
      if (batch === undefined) return
      const key = [tenant, batch.batchId]
      const record = tx.get(this.#batches, key)?.value
      if (record === undefined) return
      if (record.left <= 1) tx.delete(this.#batches, key)
      else tx.put(this.#batches, key, { ...record, left: record.left - 1 })
    }
  }
}
