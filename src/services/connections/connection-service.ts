import type { ConnectionDataset, ConnectionInput } from '../../domain/connection.ts'
import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { ConnectionTest, SourceCheck, SourceValidation, StoredObjectPage } from '../../domain/connector-results.ts'
import type { Transaction } from '../../platform/metadata/metadata-store.ts'
import type { Actor } from '../audit/audit-log.ts'
import type { AuditRecord } from './audit-trail.ts'
import type { ConnectionRecord } from './connection-record.ts'
import type { CredentialsInput, ObjectStorageChange, ObjectStorageInput } from './object-storage.ts'
import type { SchemaDrift } from './schema-drift.ts'

export interface NewConnection {
  connectorType: string
  name: string
  objectStorage: ObjectStorageInput
}

export interface ConnectionChange {
  name?: string
  objectStorage?: ObjectStorageChange
}

export interface TestedConnection {
  record: ConnectionRecord
  test: ConnectionTest
  checkedAtMs: number
  errorCode: ConnectorCode | null
}

export interface ValidatedSource {
  validation: SourceValidation
  checks: SourceCheck[]
  drift: SchemaDrift
}

/**
 * The tenants' connections to their own stores. An id that is unknown or another tenant's gives `connection_not_found`.
 */
export interface ConnectionService {
  /** `within` runs in the creating transaction. */
  create(tenant: string, actor: Actor, connection: NewConnection,
    within?: (tx: Transaction, record: ConnectionRecord) => void): Promise<ConnectionRecord>
  /** Ordered by id, which is by age; starts after the id `after`. */
  list(tenant: string, limit: number, after: string | null): { connections: ConnectionRecord[], next: string | null }
  get(tenant: string, connectionId: string): ConnectionRecord
  update(tenant: string, actor: Actor, connectionId: string, change: ConnectionChange): Promise<ConnectionRecord>
  rotate(tenant: string, actor: Actor, connectionId: string, credentials: CredentialsInput): Promise<ConnectionRecord>
  delete(tenant: string, actor: Actor, connectionId: string): Promise<void>
  test(tenant: string, actor: Actor, connectionId: string): Promise<TestedConnection>
  validate(tenant: string, actor: Actor, connectionId: string, dataset: ConnectionDataset): Promise<ValidatedSource>
  listObjects(tenant: string, actor: Actor, connectionId: string,
    page: { limit: number, startAfter: string }): Promise<StoredObjectPage>
  /** Also of a deleted connection. Newest first, from below the sequence `before`. */
  audit(tenant: string, connectionId: string, limit: number,
    before: number | null): { records: AuditRecord[], next: number | null }
  /** Like `get`. Throws connector_error when results below its prefix cannot be told from data. */
  readable(tenant: string, connectionId: string): ConnectionRecord
  /** What a worker needs to write through the connection, with sealed secrets. */
  destination(tenant: string, connectionId: string): ConnectionInput
  /**
   * What a worker needs to read the source, with sealed secrets; undefined when the tenant no longer has the
   * connection. Throws connector_error when results cannot be told from data.
   */
  source(tenant: string, connectionId: string): ConnectionInput | undefined
}
