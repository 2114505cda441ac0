import { connectorCodes, type ConnectorCode } from '../../domain/connector-codes.ts'
import { isTabular } from '../../domain/job.ts'
import { DueTable } from '../../platform/due-work/due-table.ts'
import type { RetrySchedule } from '../../platform/due-work/retry-schedule.ts'
import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { AnnouncedType } from '../callbacks/tables.ts'
import type { AuditTrail } from '../connections/audit-trail.ts'
import { DeliveredObjects } from '../connections/delivered-objects.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import type { JobDelivery, JobRecord } from '../jobs/job-record.ts'
import { resolveKey } from './key-template.ts'

/** The result of one attempt. */
export type DeliveryOutcome = { uri: string, bytes: number } | {
  error: ConnectorCode /** Default: the code's own sentence. */
  text?: string | undefined
}

export interface DeliveryLedgerDeps {
  metadata: MetadataStore
  schedule: RetrySchedule
  trail: AuditTrail
  /** Announces it to the job's callback. Returns the record to write. */
  announce: (tx: Transaction, record: JobRecord, type: AnnouncedType) => JobRecord
}

/**
 * The deliveries of all jobs. It writes in the transactions that change the job, so no job completes without its
 * delivery, and every attempt is in the audit trail.
 */
export class DeliveryLedger implements JobFollower {
  /** By job. Deliveries of one tenant share a lane. */
  readonly due: DueTable<Record<string, never>>
  readonly #deps: DeliveryLedgerDeps
  readonly #delivered: DeliveredObjects

  constructor (deps: DeliveryLedgerDeps) {
    this.#deps = deps
    this.due = new DueTable(deps.metadata, 'deliveryDue')
    this.#delivered = new DeliveredObjects(deps.metadata)
  }

  ended (tx: Transaction, record: JobRecord): JobRecord {
    if (record.delivery === undefined) return record
    if (record.status === 'completed') return this.#plan(tx, record, record.delivery)
    this.#audit(tx, record, record.delivery, { outcome: 'skipped' })
    return { ...record, delivery: { ...record.delivery, status: 'skipped' } }
  }

  buried (tx: Transaction, { tenant, jobId, delivery }: JobRecord): void {
    if (delivery !== undefined && delivery.dueMs !== null) this.due.delete(tx, [tenant], delivery.dueMs, jobId)
  }

  /** The caller writes the returned record in the same transaction. */
  begin (record: JobRecord): JobRecord {
    return record.delivery === undefined
      ? record
      : { ...record, delivery: { ...record.delivery, status: 'delivering' } }
  }

  /** Records an attempt and plans the next one, if any. The caller writes the returned record, as after `begin`. */
  settle (tx: Transaction, record: JobRecord, outcome: DeliveryOutcome): JobRecord {
    const { delivery, tenant, jobId } = record
    if (delivery === undefined || delivery.dueMs === null) return record
    this.due.delete(tx, [tenant], delivery.dueMs, jobId)
    const attempted: JobDelivery = { ...delivery, attempts: delivery.attempts + 1, dueMs: null }
    if ('uri' in outcome) {
      const { uri, bytes } = outcome
      this.#audit(tx, record, delivery, { outcome: 'success', objectUri: uri, bytes })
      this.#delivered.note(tx, tenant, delivery.connectionId, deliveryKey(record, delivery), { jobId, bytes })
      return this.#deps.announce(tx, { ...record, delivery: { ...attempted, status: 'delivered', uri, error: null } },
        'job.delivered')
    }
    const { text, retryable } = connectorCodes[outcome.error]
    this.#audit(tx, record, delivery, { outcome: 'failure', errorCode: outcome.error })
    const failed = { ...attempted, error: outcome.text ?? text }
    const planned = retryable ? this.#plan(tx, record, failed) : record
    if (planned.delivery?.dueMs != null && retryable) return planned
    return this.#deps.announce(tx, { ...record, delivery: { ...failed, status: 'failed' } }, 'job.delivery_failed')
  }

  /** Plans the next attempt, unless the attempts are used up or the job expires first. */
  #plan (tx: Transaction, record: JobRecord, delivery: JobDelivery): JobRecord {
    const dueMs = this.#deps.schedule.next(delivery.attempts, Date.now(), record.expiresAtMs ?? Infinity)
    if (dueMs !== null) {
      this.due.put(tx, [record.tenant], dueMs, record.jobId, {})
    }
    return { ...record, delivery: { ...delivery, dueMs } }
  }

  #audit (
    tx: Transaction,
    record: JobRecord,
    { connectionId }: JobDelivery,
    event: { outcome: 'success' | 'failure' | 'skipped', objectUri?: string, bytes?: number, errorCode?: ConnectorCode }
  ): void {
    const { tenant, jobId, keyId, requestId, numItems, reconciliation, spec } = record
    // A reconciled table also has the aggregate series.
    const series = reconciliation?.numSeries ?? numItems
    const rows = event.outcome === 'success' && series !== null && !isTabular(spec)
      ? series * spec.predictionLength
      : null
    this.#deps.trail.append(tx, tenant, connectionId, { action: 'deliver', keyId, requestId, jobId, rows, ...event })
  }
}

/** The full key of the table, from the bucket's root. */
export function deliveryKey ({ jobId, completedAtMs }: JobRecord, { keyTemplate }: JobDelivery): string {
  return resolveKey(keyTemplate, jobId, completedAtMs ?? 0)
}
