import type { Logger } from 'pino'
import { ulid } from 'ulid'
import type { ConnectionInput, ObjectStorage } from '../../domain/connection.ts'
import type { ConnectorResults } from '../../domain/connector-results.ts'
import type { TableLimits } from '../../domain/limits.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import { connectorPolicy } from '../../platform/network/connector-policy.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import type { QuickConnectorRequest } from '../../platform/queue/quick-messages.ts'
import { repeatSweep } from '../../platform/time/repeat-sweep.ts'
import { startClock } from '../../platform/turns/start-clock.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { ConnectorError } from '../../sources/connectors/connector-error.ts'
import type { Actor, AuditLog } from '../audit/audit-log.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import { AuditTrail, type AuditEvent } from './audit-trail.ts'
import { isConnectionId, type ConnectionRecord } from './connection-record.ts'
import type { ConnectionService } from './connection-service.ts'
import { connectorFailure } from './connector-failure.ts'
import { askConnector } from './connector-requests.ts'
import { DeliveredObjects } from './delivered-objects.ts'
import type { CredentialsInput } from './object-storage.ts'
import { mergeObjectStorage, readsOther, redirect, summaryOf } from './redirect-connection.ts'
import { resolveObjectStorage, type StorageRules } from './resolve-object-storage.ts'
import { driftCheck, rememberedColumns, schemaDrift } from './schema-drift.ts'
import { SourceSchemas } from './source-schemas.ts'

export interface ConnectionServiceDeps {
  config: Config
  metadata: MetadataStore
  vault: Vault
  audit: AuditLog
  queue: ApiQueue
  budgets: Pick<CpuBudgets, 'spend'>
  /** Of the api process. */
  apiBudgets: Pick<CpuBudgets, 'spend'>
  log: Logger
}

export interface RunningConnectionService extends ConnectionService {
  readonly trail: AuditTrail
  stop(): Promise<void>
}

const maxConnections = 1000
/** The most bytes of records on a page, since each becomes JSON; beyond it the page is short. */
const maxPageBytes = 2 ** 20
const dayMs = 86_400_000
const sweepMs = 3_600_000

export function createConnectionService (
  { config, metadata, vault, audit, queue, budgets, apiBudgets, log }: ConnectionServiceDeps
): RunningConnectionService {
  const connections = metadata.table<ConnectionRecord>('connections')
  const trail = new AuditTrail(metadata, Date.now, audit)
  const delivered = new DeliveredObjects(metadata)
  const schemas = new SourceSchemas(metadata)
  const rules: StorageRules = { policy: connectorPolicy(config), ambientAuth: config.CONNECTOR_AMBIENT_AUTH }
  const limits: TableLimits = {
    maxRows: config.CONNECTOR_MAX_ROWS,
    maxColumns: config.MAX_COLUMNS,
    maxSeries: config.MAX_SERIES,
    maxCellChars: config.MAX_CELL_CHARS
  }
  const isLive = (tenant: string, connectionId: string): boolean =>
    connections.revision([tenant, connectionId]) !== undefined
  const sweep = repeatSweep('connection sweep', sweepMs, log, async () => {
    await trail.sweep(Date.now() - config.AUDIT_RETENTION_DAYS * dayMs, isLive)
    await delivered.sweep(isLive)
  })

  const find = (tenant: string, connectionId: string): ConnectionRecord => {
    const record = isConnectionId(connectionId) ? connections.get([tenant, connectionId])?.value : undefined
    if (record === undefined) throw new TabcastError('connection_not_found')
    return record
  }

  const seal = (tenant: string, connectionId: string,
    credentials: CredentialsInput | null): ConnectionRecord['credentials'] =>
    Object.fromEntries(
      Object.entries(credentials ?? {}).map((
        [field, secret]
      ) => [field, vault.seal(secret, [tenant, connectionId, field])])
    )

  /** Changes the current record and adds an audit record. `change` may return undefined, which leaves it as it is. */
  const amend = async (
    tenant: string,
    actor: Actor,
    connectionId: string,
    event: Omit<AuditEvent, keyof Actor>,
    change: (record: ConnectionRecord, tx: Transaction) => ConnectionRecord | undefined
  ): Promise<ConnectionRecord> =>
    await metadata.transact((tx) => {
      const found = tx.get(connections, [tenant, connectionId])?.value
      if (found === undefined) throw new TabcastError('connection_not_found')
      const next = change(found, tx)
      if (next !== undefined) tx.put(connections, [tenant, connectionId], next)
      trail.append(tx, tenant, connectionId, { ...event, ...actor })
      return next ?? found
    }, tenant)

  const destination = (
    { tenant, connectionId, objectStorage, credentials, capabilities }: ConnectionRecord
  ): ConnectionInput => ({ tenant, connectionId, objectStorage, credentials, capabilities, delivered: [] })
  const source = (record: ConnectionRecord): ConnectionInput => ({
    ...destination(record),
    delivered: delivered.among(record.tenant, record.connectionId, record.objectStorage)
  })

  /** Records a failure of the store before reporting it. */
  const ask = async <O extends keyof ConnectorResults>(
    record: ConnectionRecord,
    actor: Actor,
    action: AuditEvent['action'],
    request: Omit<Extract<QuickConnectorRequest, { operation: O }>, 'v' | 'budgetMs' | 'connection'>
  ): Promise<ConnectorResults[O]> => {
    try {
      return await askConnector<O>({ queue, budgets },
        { ...request, connection: source(record) } as Parameters<typeof askConnector<O>>[1])
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error
      await trail.add(record.tenant, record.connectionId, {
        action,
        outcome: 'failure',
        errorCode: error.code,
        objectUri: uriOf(record.objectStorage),
        ...actor
      })
      throw connectorFailure(error.code)
    }
  }

  return {
    trail,

    async create (tenant, actor, { connectorType, name, objectStorage: given }, within) {
      const { objectStorage, credentials } = resolveObjectStorage(given, rules)
      const atMs = Date.now()
      const connectionId = `conn_${ulid(atMs)}`
      const record: ConnectionRecord = {
        v: 1,
        connectionId,
        tenant,
        connectorType,
        name,
        objectStorage,
        credentials: seal(tenant, connectionId, credentials),
        credential: summaryOf(objectStorage, credentials, atMs),
        status: 'untested',
        target: 1,
        capabilities: { conditionalPut: null, versioning: null },
        createdAtMs: atMs,
        updatedAtMs: atMs,
        lastTestedAtMs: null,
        lastErrorCode: null
      }
      await metadata.transact((tx) => {
        if (connections.count({ prefix: [tenant] }) >= maxConnections) {
          throw new TabcastError('validation_error', `A tenant has at most ${maxConnections} connections.`, {
            status: 400,
            suggestion: 'Delete a connection that is not used any more.'
          })
        }
        tx.put(connections, [tenant, connectionId], record)
        trail.append(tx, tenant, connectionId, { action: 'create', outcome: 'success', ...actor })
        within?.(tx, record)
      }, tenant)
      return record
    },

    list (tenant, limit, after) {
      const bounds = after === null ? { prefix: [tenant] } : { start: [tenant, `${after}~`], end: [tenant, '~'] }
      const page: ConnectionRecord[] = []
      let pageBytes = 0
      for (const entry of connections.range({ ...bounds, limit: limit + 1 })) {
        pageBytes += entry.bytes
        const last = page.at(-1)
        if (last !== undefined && (page.length === limit || pageBytes > maxPageBytes)) {
          return { connections: page, next: last.connectionId }
        }
        page.push(entry.value)
      }
      return { connections: page, next: null }
    },

    get: find,

    async update (tenant, actor, connectionId, { name, objectStorage: change }) {
      find(tenant, connectionId)
      return await amend(tenant, actor, connectionId, { action: 'update', outcome: 'success' }, (record, tx) => {
        const named = { ...record, name: name ?? record.name, updatedAtMs: Date.now() }
        if (change === undefined) return named
        const resolved = resolveObjectStorage(mergeObjectStorage(record.objectStorage, change), rules,
          record.objectStorage)
        const next = redirect(named, resolved, seal(tenant, connectionId, resolved.credentials))
        return readsOther(record.objectStorage, next.objectStorage) ? schemas.forget(tx, next) : next
      })
    },

    async rotate (tenant, actor, connectionId, credentials) {
      const { objectStorage } = find(tenant, connectionId)
      if (objectStorage.authMethod !== 'access_key') {
        const error = `a connection with ${objectStorage.authMethod} has no credentials`
        throw new TabcastError('validation_error', undefined, {
          fields: [{ loc: ['body', 'credentials'], msg: error, type: 'value_error', ctx: { error } }]
        })
      }
      return await amend(tenant, actor, connectionId, { action: 'rotate', outcome: 'success' },
        (record) =>
          redirect({ ...record, updatedAtMs: Date.now() }, { objectStorage: record.objectStorage, credentials },
            seal(tenant, connectionId, credentials)))
    },

    async delete (tenant, actor, connectionId) {
      find(tenant, connectionId)
      await amend(tenant, actor, connectionId, { action: 'delete', outcome: 'success' }, (record, tx) => {
        tx.delete(connections, [tenant, connectionId])
        schemas.forget(tx, record)
        return undefined
      })
    },

    async test (tenant, actor, connectionId) {
      const record = find(tenant, connectionId)
      const test = await ask<'test'>(record, actor, 'test', { operation: 'test' })
      const errorCode = test.checks.find(({ status }) => status === 'failed')?.errorCode ?? null
      const checkedAtMs = Date.now()
      const event = {
        action: 'test',
        outcome: errorCode === null ? 'success' : 'failure',
        errorCode,
        objectUri: uriOf(record.objectStorage)
      } as const
      const tested = await amend(tenant, actor, connectionId, event, (now) =>
        now.target !== record.target
          ? undefined
          : {
            ...now,
            status: errorCode === null ? 'connected' : 'failed',
            capabilities: errorCode === null ? test.capabilities : now.capabilities,
            lastTestedAtMs: checkedAtMs,
            lastErrorCode: errorCode
          })
      return { record: tested, test, checkedAtMs, errorCode }
    },

    async validate (tenant, actor, connectionId, dataset) {
      const record = find(tenant, connectionId)
      const found = await ask<'validate'>(record, actor, 'validate', { operation: 'validate', dataset, limits })
      const before = schemas.of(record)
      const drift = schemaDrift(before?.columns ?? null, found.columns)
      const checks = [...found.checks, driftCheck(drift, before === null)]
      const isValid = checks.every(({ status }) => status !== 'failed')
      const event = {
        action: 'validate',
        outcome: isValid ? 'success' : 'failure',
        objectUri: uriOf(record.objectStorage),
        bytes: found.bytesRead,
        rows: found.rowCount
      } as const
      await amend(tenant, actor, connectionId, event,
        (now, tx) =>
          schemas.put(tx, now, { fingerprint: found.schemaFingerprint, columns: rememberedColumns(found.columns) }))
      return { validation: found, checks, drift }
    },

    async listObjects (tenant, actor, connectionId, { limit, startAfter }) {
      const record = find(tenant, connectionId)
      const page = await ask<'list'>(record, actor, 'list', { operation: 'list', limit, startAfter })
      await trail.add(tenant, connectionId, {
        action: 'list',
        outcome: 'success',
        objectUri: uriOf(record.objectStorage),
        ...actor
      })
      return page
    },

    audit (tenant, connectionId, limit, before) {
      if (!isConnectionId(connectionId) || !trail.has(tenant, connectionId)) {
        throw new TabcastError('connection_not_found')
      }
      return trail.page(tenant, connectionId, limit, before)
    },

    readable (tenant, connectionId) {
      const record = find(tenant, connectionId)
      source(record)
      return record
    },
    destination: (tenant, connectionId) => destination(find(tenant, connectionId)),
    source (tenant, connectionId) {
      const record = connections.get([tenant, connectionId])?.value
      // Metered here, because the dispatch of a job is not part of a metered request.
      const used = startClock()
      try {
        return record && source(record)
      } finally {
        apiBudgets.spend(tenant, 'api', used())
      }
    },
    stop: () => sweep.stop()
  }
}

function uriOf ({ bucket, prefix }: ObjectStorage): string {
  return `s3://${bucket}/${prefix}`
}
