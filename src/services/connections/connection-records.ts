import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Table, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { Actor } from '../audit/audit-log.ts'
import type { AuditEvent, AuditTrail } from './audit-trail.ts'
import { isConnectionId, type ConnectionRecord } from './connection-record.ts'

const maxConnections = 1000
/** The most bytes of records on a page, since each becomes JSON; beyond it the page is short. */
const maxPageBytes = 2 ** 20

/** The connections on record. Each change adds a record to the audit trail in its own transaction. */
export class ConnectionRecords {
  readonly #metadata: MetadataStore
  readonly #trail: AuditTrail
  readonly #connections: Table<ConnectionRecord>

  constructor (metadata: MetadataStore, trail: AuditTrail) {
    this.#metadata = metadata
    this.#trail = trail
    this.#connections = metadata.table<ConnectionRecord>('connections')
  }

  isLive (tenant: string, connectionId: string): boolean {
    return this.#connections.revision([tenant, connectionId]) !== undefined
  }

  get (tenant: string, connectionId: string): ConnectionRecord | undefined {
    return this.#connections.get([tenant, connectionId])?.value
  }

  /** Like `get`, for an id that a caller sent. Throws `connection_not_found`. */
  find (tenant: string, connectionId: string): ConnectionRecord {
    const record = isConnectionId(connectionId) ? this.get(tenant, connectionId) : undefined
    if (record === undefined) throw new TabcastError('connection_not_found')
    return record
  }

  list (tenant: string, limit: number, after: string | null): { connections: ConnectionRecord[], next: string | null } {
    const bounds = after === null ? { prefix: [tenant] } : { start: [tenant, `${after}~`], end: [tenant, '~'] }
    const page: ConnectionRecord[] = []
    let pageBytes = 0
    for (const entry of this.#connections.range({ ...bounds, limit: limit + 1 })) {
      pageBytes += entry.bytes
      const last = page.at(-1)
      if (last !== undefined && (page.length === limit || pageBytes > maxPageBytes)) {
        return { connections: page, next: last.connectionId }
      }
      page.push(entry.value)
    }
    return { connections: page, next: null }
  }

  async add (record: ConnectionRecord, actor: Actor,
    within?: (tx: Transaction, record: ConnectionRecord) => void): Promise<void> {
    const { tenant, connectionId } = record
    await this.#metadata.transact((tx) => {
      if (this.#connections.count({ prefix: [tenant] }) >= maxConnections) {
        throw new TabcastError('validation_error', `A tenant has at most ${maxConnections} connections.`, {
          status: 400,
          suggestion: 'Delete a connection that is not used any more.'
        })
      }
      tx.put(this.#connections, [tenant, connectionId], record)
      this.#trail.append(tx, tenant, connectionId, { action: 'create', outcome: 'success', ...actor })
      within?.(tx, record)
    }, tenant)
  }

  /** Changes the current record. `change` may return undefined, which leaves it as it is. */
  async amend (
    tenant: string,
    actor: Actor,
    connectionId: string,
    event: Omit<AuditEvent, keyof Actor>,
    change: (record: ConnectionRecord, tx: Transaction) => ConnectionRecord | undefined
  ): Promise<ConnectionRecord> {
    return await this.#metadata.transact((tx) => {
      const found = tx.get(this.#connections, [tenant, connectionId])?.value
      if (found === undefined) throw new TabcastError('connection_not_found')
      const next = change(found, tx)
      if (next !== undefined) tx.put(this.#connections, [tenant, connectionId], next)
      this.#trail.append(tx, tenant, connectionId, { ...event, ...actor })
      return next ?? found
    }, tenant)
  }

  remove (tx: Transaction, { tenant, connectionId }: ConnectionRecord): void {
    tx.delete(this.#connections, [tenant, connectionId])
  }
}
