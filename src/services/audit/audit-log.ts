import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import { AuditChain, type Chained, type ChainVerdict } from './audit-chain.ts'

/** The full records of data connections, each with one in the log of its tenant under the same id. */
export const connectionAuditTables = { records: 'connectionAudit', heads: 'connectionAuditHeads' } as const

/**
 * | table | key | value |
 * |---|---|---|
 * | audit | tenant, sequence | LoggedAction as JSON |
 * | auditHeads | tenant | AuditHead: where the tenant's chain begins and ends |
 * | connectionAudit | tenant, connection id, sequence | AuditRecord of ../connections as JSON: kept when the connection
 * is deleted |
 * | connectionAuditHeads | tenant, connection id | AuditHead: where the chain of its audit records begins and ends |
 */
export const auditTables = ['audit', 'auditHeads', 'connectionAudit', 'connectionAuditHeads'] as const

/**
 * Records that are removed beside one that is added: a log that has become too long, because the setting was lowered,
 * grows shorter.
 */
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

/** Who asks. */
export interface Actor {
  /** Id of the key. */
  keyId: string
  /** Of the request that asked, or of the one that made the job; empty: it was no request. */
  requestId: string
}

/** Whoever runs the service, at its command line. */
export const commandLine: Actor = { keyId: 'command line', requestId: '' }

/** What the service does by itself. */
export const service: Actor = { keyId: 'service', requestId: '' }

export interface AuditedEvent {
  action: AuditedAction
  /** Id of what was changed; of a tenant's webhook secret, which has none, empty. */
  target: string
  outcome: AuditOutcome
  /** Why not. */
  errorCode?: string | null
}

export interface LoggedAction extends Required<AuditedEvent>, Actor, Chained {}

/**
 * What was changed of a tenant's, by whom: one chain a tenant. A record is written in the transaction of the change,
 * so that neither is there without the other and the change costs no second commit.
 */
export class AuditLog {
  readonly #chain: AuditChain<Required<AuditedEvent> & Actor>
  readonly #ofConnections: AuditChain<object>
  readonly #maxRecords: number

  /** `maxRecords`: of one tenant. */
  constructor (metadata: MetadataStore,
    { maxRecords = Infinity, now = Date.now }: { maxRecords?: number, now?: () => number } = {}) {
    this.#chain = new AuditChain(metadata, { records: 'audit', heads: 'auditHeads' }, now)
    this.#ofConnections = new AuditChain(metadata, connectionAuditTables, now)
    this.#maxRecords = maxRecords
  }

  /** `same`: the event is in another chain too, with this id and time. */
  append (tx: Transaction, tenant: string, { keyId, requestId }: Actor, event: AuditedEvent,
    same?: Pick<Chained, 'auditId' | 'atMs'>): void {
    this.#chain.append(tx, [tenant], { errorCode: null, ...event, keyId, requestId }, same)
    for (const { action, target, auditId } of this.#chain.trim(tx, [tenant], this.#maxRecords, trimBeside)) {
      // What is in two chains goes from both, so that one number bounds a tenant, however many connections it has had.
      if (action.startsWith('connection.')) this.#ofConnections.forgetUntil(tx, [tenant, target], auditId, trimBeside)
    }
  }

  /** Tenants whose oldest records go before their time. */
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

  /** Removes what is older than that. A tenant's chain goes on where it was, also when nothing is left of it. */
  async sweep (olderThanMs: number): Promise<void> {
    await this.#chain.sweep(olderThanMs, () => true)
  }
}
