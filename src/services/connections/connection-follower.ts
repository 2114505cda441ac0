import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { JobFollower } from '../jobs/job-ledger.ts'
import { connectedInput, type JobRecord } from '../jobs/job-record.ts'
import type { AuditTrail } from './audit-trail.ts'
import type { ConnectionRecord } from './connection-record.ts'
import { DeliveredObjects } from './delivered-objects.ts'

/** A job is only recorded while its connections exist. Reading from one is recorded in the audit trail. */
export class ConnectionFollower implements JobFollower {
  readonly #connections: Table<ConnectionRecord>
  readonly #trail: AuditTrail
  readonly #delivered: DeliveredObjects

  constructor (metadata: MetadataStore, trail: AuditTrail) {
    this.#connections = metadata.table('connections')
    this.#trail = trail
    this.#delivered = new DeliveredObjects(metadata)
  }

  created (tx: Transaction, job: JobRecord): void {
    for (const connectionId of [connectedInput(job)?.connectionId, job.delivery?.connectionId]) {
      if (connectionId !== undefined && tx.get(this.#connections, [job.tenant, connectionId]) === undefined) {
        throw new TabcastError('connection_not_found')
      }
    }
    if (job.delivery !== undefined) this.#delivered.assertRoom(tx, job.tenant, job.delivery.connectionId)
  }

  ended (tx: Transaction, job: JobRecord): JobRecord {
    const source = connectedInput(job)
    if (source === undefined) return job
    const { tenant, jobId, keyId, requestId, connectorCode } = job
    const read = source.read
    this.#trail.append(tx, tenant, source.connectionId, {
      action: 'read',
      outcome: read === undefined ? 'failure' : 'success',
      keyId,
      requestId,
      jobId,
      objectUri: read?.uri ?? null,
      bytes: read?.bytes ?? null,
      errorCode: connectorCode ?? null
    })
    return job
  }
}
