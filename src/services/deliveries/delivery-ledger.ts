import { connectorCodes, type ConnectorCode } from '../../domain/connector-codes.ts'
import { isTabular } from '../../domain/job.ts'
import type { ExpectedLane } from '../../platform/due-work/due-runner.ts'
import type { RetrySchedule } from '../../platform/due-work/retry-schedule.ts'
import type { Key, MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { AnnouncedType } from '../callbacks/tables.ts'
import type { AuditTrail } from '../connections/audit-trail.ts'
import { DeliveredObjects } from '../connections/delivered-objects.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import type { JobDelivery, JobRecord } from '../jobs/job-record.ts'
import { resolveKey } from './key-template.ts'

export interface DueDelivery { tenant: string, jobId: string }

/** What an attempt came to. */
export type DeliveryOutcome = { uri: string, bytes: number } | { error: ConnectorCode, /** Default: the code's own sentence. */ text?: string | undefined }

export interface DeliveryLedgerDeps {
  metadata: MetadataStore
  schedule: RetrySchedule
  trail: AuditTrail
  /** Tells the job's caller; returns the record to write. */
  announce: (tx: Transaction, record: JobRecord, type: AnnouncedType) => JobRecord
}

/**
 * The deliveries of every job. It writes inside the transactions that change the job, so that there is no completed job
 * without its delivery, and every attempt is in the audit trail.
 */
export class DeliveryLedger implements JobFollower {
  readonly #deps: DeliveryLedgerDeps
  readonly #due: Table<Record<string, never>>
  readonly #delivered: DeliveredObjects
  #announceDue: (tenant: string, dueMs: number) => void = () => undefined

  constructor (deps: DeliveryLedgerDeps) {
    this.#deps = deps
    this.#due = deps.metadata.table('deliveryDue')
    this.#delivered = new DeliveredObjects(deps.metadata)
  }

  /** Who delivers is told of what will be due, while it is being written. */
  onDue (announce: (tenant: string, dueMs: number) => void): void {
    this.#announceDue = announce
  }

  ended (tx: Transaction, record: JobRecord): JobRecord {
    if (record.delivery === undefined) return record
    if (record.status === 'completed') return this.#plan(tx, record, record.delivery)
    this.#audit(tx, record, record.delivery, { outcome: 'skipped' })
    return { ...record, delivery: { ...record.delivery, status: 'skipped' } }
  }

  buried (tx: Transaction, { tenant, jobId, delivery }: JobRecord): void {
    if (delivery !== undefined && delivery.dueMs !== null) tx.delete(this.#due, [tenant, delivery.dueMs, jobId])
  }

  /** To be called, and its record written, in the transaction that it is given. */
  begin (record: JobRecord): JobRecord {
    return record.delivery === undefined ? record : { ...record, delivery: { ...record.delivery, status: 'delivering' } }
  }

  /** Notes an attempt and plans the next one, if there is to be one. As `begin`. */
  settle (tx: Transaction, record: JobRecord, outcome: DeliveryOutcome): JobRecord {
    const { delivery, tenant, jobId } = record
    if (delivery === undefined || delivery.dueMs === null) return record
    tx.delete(this.#due, [tenant, delivery.dueMs, jobId])
    const attempted: JobDelivery = { ...delivery, attempts: delivery.attempts + 1, dueMs: null }
    if ('uri' in outcome) {
      const { uri, bytes } = outcome
      this.#audit(tx, record, delivery, { outcome: 'success', objectUri: uri, bytes })
      this.#delivered.note(tx, tenant, delivery.connectionId, deliveryKey(record, delivery), { jobId, bytes })
      return this.#deps.announce(tx, { ...record, delivery: { ...attempted, status: 'delivered', uri, error: null } }, 'job.delivered')
    }
    const { text, retryable } = connectorCodes[outcome.error]
    this.#audit(tx, record, delivery, { outcome: 'failure', errorCode: outcome.error })
    const failed = { ...attempted, error: outcome.text ?? text }
    const planned = retryable ? this.#plan(tx, record, failed) : record
    if (planned.delivery?.dueMs != null && retryable) return planned
    return this.#deps.announce(tx, { ...record, delivery: { ...failed, status: 'failed' } }, 'job.delivery_failed')
  }

  /** Tenants for which something waits or will be due, from behind `after` on, with the first due time of each. */
  * tenants (after: string | undefined): Iterable<ExpectedLane<string>> {
    let start: Key | undefined = after === undefined ? undefined : behind(after)
    for (;;) {
      const [first] = this.#due.range(start === undefined ? { limit: 1 } : { start, limit: 1 })
      if (first === undefined) return
      const tenant = String(first.key[0])
      yield { lane: tenant, dueMs: Number(first.key[1]) }
      start = behind(tenant)
    }
  }

  /** What is due for a tenant, the longest waiting first. */
  due (tenant: string, nowMs: number, limit: number): DueDelivery[] {
    return [...this.#due.range({ start: [tenant], end: [tenant, nowMs + 1], limit })].map(({ key }) => ({ tenant, jobId: String(key[2]) }))
  }

  /** When the next delivery of a tenant is due that is not yet. */
  nextDueMs (tenant: string, nowMs: number): number | undefined {
    const [next] = this.#due.range({ start: [tenant, nowMs + 1], end: behind(tenant), limit: 1 })
    return next === undefined ? undefined : Number(next.key[1])
  }

  /** The next attempt, where one is left before the job expires. */
  #plan (tx: Transaction, record: JobRecord, delivery: JobDelivery): JobRecord {
    const dueMs = this.#deps.schedule.next(delivery.attempts, Date.now(), record.expiresAtMs ?? Infinity)
    if (dueMs !== null) {
      tx.put(this.#due, [record.tenant, dueMs, record.jobId], {})
      this.#announceDue(record.tenant, dueMs)
    }
    return { ...record, delivery: { ...delivery, dueMs } }
  }

  #audit (
    tx: Transaction, record: JobRecord, { connectionId }: JobDelivery,
    event: { outcome: 'success' | 'failure' | 'skipped', objectUri?: string, bytes?: number, errorCode?: ConnectorCode }
  ): void {
    const { tenant, jobId, keyId, requestId, numItems, reconciliation, spec } = record
    // A reconciled table has the aggregates too.
    const series = reconciliation?.numSeries ?? numItems
    const rows = event.outcome === 'success' && series !== null && !isTabular(spec) ? series * spec.predictionLength : null
    this.#deps.trail.append(tx, tenant, connectionId, { action: 'deliver', keyId, requestId, jobId, rows, ...event })
  }
}

/** Where the table goes, from the bucket's root. */
export function deliveryKey ({ jobId, completedAtMs }: JobRecord, { keyTemplate }: JobDelivery): string {
  return resolveKey(keyTemplate, jobId, completedAtMs ?? 0)
}

/** Texts come after numbers, so this is behind every time of the tenant. */
function behind (tenant: string): Key {
  return [tenant, '']
}
