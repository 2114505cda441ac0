import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import { AuditChain, type Chained, type ChainVerdict } from '../audit/audit-chain.ts'
import { AuditLog, connectionAuditTables, type Actor, type AuditOutcome } from '../audit/audit-log.ts'

export const auditActions = ['create', 'update', 'rotate', 'test', 'validate', 'list', 'read', 'deliver',
  'delete'] as const

export interface AuditEvent extends Actor {
  action: typeof auditActions[number]
  outcome: AuditOutcome
  jobId?: string | null
  objectUri?: string | null
  bytes?: number | null
  rows?: number | null
  errorCode?: ConnectorCode | null
}

export interface AuditRecord extends Required<AuditEvent>, Chained {}

/**
 * The trail of each connection: a full record in the connection's own chain, and a short one in the tenant's, under the
 * same id.
 */
export class AuditTrail {
  readonly #metadata: MetadataStore
  readonly #chain: AuditChain<Required<AuditEvent>>
  readonly #log: AuditLog

  constructor (metadata: MetadataStore, now: () => number = Date.now, log: AuditLog = new AuditLog(metadata, { now })) {
    this.#metadata = metadata
    this.#chain = new AuditChain(metadata, connectionAuditTables, now)
    this.#log = log
  }

  /** Call it in the transaction of the change that the event describes. */
  append (tx: Transaction, tenant: string, connectionId: string, event: AuditEvent): void {
    const record = this.#chain.append(tx, [tenant, connectionId], {
      jobId: null,
      objectUri: null,
      bytes: null,
      rows: null,
      errorCode: null,
      ...event
    })
    const { action, outcome, errorCode = null } = event
    this.#log.append(tx, tenant, event, { action: `connection.${action}`, target: connectionId, outcome, errorCode },
      record)
  }

  /** For events that change nothing else. */
  async add (tenant: string, connectionId: string, event: AuditEvent): Promise<void> {
    await this.#metadata.transact((tx) => this.append(tx, tenant, connectionId, event), tenant)
  }

  /** Whether the tenant has or had this connection, and its trail is still kept. */
  has (tenant: string, connectionId: string): boolean {
    return this.#chain.has([tenant, connectionId])
  }

  /** Newest first, from below the sequence `before`. */
  page (tenant: string, connectionId: string, limit: number,
    before: number | null): { records: AuditRecord[], next: number | null } {
    return this.#chain.page([tenant, connectionId], limit, before)
  }

  /** Checks the chain from its oldest kept record on; `at` is the sequence where it breaks. */
  verify (tenant: string, connectionId: string): ChainVerdict {
    return this.#chain.verify([tenant, connectionId])
  }

  /** Removes older records. An empty trail goes once its connection is gone. */
  async sweep (olderThanMs: number, isLive: (tenant: string, connectionId: string) => boolean): Promise<void> {
    await this.#chain.sweep(olderThanMs, ([tenant, connectionId = '']) => isLive(tenant, connectionId))
  }
}
