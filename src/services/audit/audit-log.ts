import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import { AuditChain, type Chained, type ChainVerdict } from './audit-chain.ts'

/** The full records of data connections. Each has a short form in the log of its tenant, under the same id. */
export const connectionAuditTables = { records: 'connectionAudit', heads: 'connectionAuditHeads' } as const

/**
 * | table | key | value |
 * |---|---|---|
 * | audit | tenant, sequence | LoggedAction as JSON |
 * | auditHeads | tenant | AuditHead: where the tenant's chain begins and ends |
 * | connectionAudit | tenant, connection id, sequence | AuditRecord as JSON; outlives the connection |
 * | connectionAuditHeads | tenant, connection id | AuditHead: where the chain of the connection begins and ends |
 */
export const auditTables = ['audit', 'auditHeads', 'connectionAudit', 'connectionAuditHeads'] as const

/** How many old records each new one may displace: more than one, so that a log shrinks after the limit was lowered. */
const trimBeside = 5

export const auditedActions = [
  'job.create',
  'job.delete',
  'batch.create',
  'batch.delete',
  'object.presign',
  'object.complete',
  'object.delete',
  'model.delete',
  'connection.create',
  'connection.update',
  'connection.rotate',
  'connection.test',
  'connection.validate',
  'connection.list',
  'connection.read',
  'connection.deliver',
  'connection.delete',
  'key.create',
  'key.rotate',
  'key.revoke',
  'webhook_secret.rotate',
  'webhook_endpoint.create',
  'webhook_endpoint.update',
  'webhook_endpoint.delete',
  'webhook_endpoint.disable',
  'webhook_endpoint.rotate_secret',
  'webhook_endpoint.test',
  'webhook_delivery.redeliver'
] as const
export type AuditedAction = typeof auditedActions[number]

export const auditOutcomes = ['success', 'failure', 'skipped'] as const
export type AuditOutcome = typeof auditOutcomes[number]

/** Who asked for a change. */
export interface Actor {
  /** The id of the key. */
  keyId: string
  /** The request that asked, or the one that made the job. Empty when there was no request. */
  requestId: string
}

/** The operator at the command line. */
export const commandLine: Actor = { keyId: 'command line', requestId: '' }

/** The service itself. */
export const service: Actor = { keyId: 'service', requestId: '' }

export interface AuditedEvent {
  action: AuditedAction
  /** The id of the thing that was changed. Empty for a tenant's webhook secret, which has no id. */
  target: string
  outcome: AuditOutcome
  /** Why it failed. */
  errorCode?: string | null
}

export interface LoggedAction extends Required<AuditedEvent>, Actor, Chained {}

/**
 * One chain of changes for each tenant. A record is written in the transaction of its change, so neither exists without
 * the other, and the change costs no second commit.
 */
export class AuditLog {
  readonly #chain: AuditChain<Required<AuditedEvent> & Actor>
  readonly #ofConnections: AuditChain<object>
  readonly #maxRecords: number

  /** `maxRecords`: limit for each tenant. */
  constructor (metadata: MetadataStore,
    { maxRecords = Infinity, now = Date.now }: { maxRecords?: number, now?: () => number } = {}) {
    this.#chain = new AuditChain(metadata, { records: 'audit', heads: 'auditHeads' }, now)
    this.#ofConnections = new AuditChain(metadata, connectionAuditTables, now)
    this.#maxRecords = maxRecords
  }

  /** `same`: the id and time of the same event in another chain. */
  append (tx: Transaction, tenant: string, { keyId, requestId }: Actor, event: AuditedEvent,
    same?: Pick<Chained, 'auditId' | 'atMs'>): void {
    this.#chain.append(tx, [tenant], { errorCode: null, ...event, keyId, requestId }, same)
    for (const { action, target, auditId } of this.#chain.trim(tx, [tenant], this.#maxRecords, trimBeside)) {
      // Remove a record from both of its chains. So one limit bounds a tenant, however many connections it has had.
      if (action.startsWith('connection.')) this.#ofConnections.forgetUntil(tx, [tenant, target], auditId, trimBeside)
    }
  }

  /** Tenants that have reached the limit, whose oldest records go before their time. */
  full (): string[] {
    return [...this.#chain.lengths()].filter(({ records }) => records >= this.#maxRecords).map(({ chain: [tenant] }) =>
      tenant
    )
  }

  /** Newest first, from below the sequence `before`. */
  page (tenant: string, limit: number, before: number | null): { records: LoggedAction[], next: number | null } {
    return this.#chain.page([tenant], limit, before)
  }

  verify (tenant: string): ChainVerdict {
    return this.#chain.verify([tenant])
  }

  /** Removes records older than `olderThanMs`. A tenant's head stays, even when its chain is empty. */
  async sweep (olderThanMs: number): Promise<void> {
    await this.#chain.sweep(olderThanMs, () => true)
  }
}
