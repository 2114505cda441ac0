import type { Logger } from 'pino'
import { ulid } from 'ulid'
import type { ConnectionDataset, ConnectionInput } from '../../domain/connection.ts'
import type { StoredObjectPage } from '../../domain/connector-results.ts'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import { connectorPolicy } from '../../platform/network/connector-policy.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import { repeatSweep } from '../../platform/time/repeat-sweep.ts'
import { startClock } from '../../platform/turns/start-clock.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import type { Actor, AuditLog } from '../audit/audit-log.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import { AuditTrail, type AuditRecord } from './audit-trail.ts'
import { destinationOf, sourceOf } from './connection-input.ts'
import { isConnectionId, type ConnectionRecord } from './connection-record.ts'
import { ConnectionRecords } from './connection-records.ts'
import type { ConnectionChange, ConnectionService, NewConnection, TestedConnection,
  ValidatedSource } from './connection-service.ts'
import { DeliveredObjects } from './delivered-objects.ts'
import type { CredentialsInput } from './object-storage.ts'
import { mergeObjectStorage, readsOther, redirect, summaryOf } from './redirect-connection.ts'
import { resolveObjectStorage, type StorageRules } from './resolve-object-storage.ts'
import { SourceSchemas } from './source-schemas.ts'
import { StoreQuestions } from './store-questions.ts'

export interface ConnectionServiceDeps {
  config: Config
  metadata: MetadataStore
  vault: Vault
  audit: AuditLog
  queue: ApiQueue
  budgets: Pick<CpuBudgets, 'spend'>
  /** Budgets of the api process. */
  apiBudgets: Pick<CpuBudgets, 'spend'>
  log: Logger
}

export interface RunningConnectionService extends ConnectionService {
  readonly trail: AuditTrail
  stop(): Promise<void>
}

const dayMs = 86_400_000
const sweepMs = 3_600_000

export function createConnectionService (deps: ConnectionServiceDeps): RunningConnectionService {
  return new RecordedConnections(deps)
}

class RecordedConnections implements RunningConnectionService {
  readonly trail: AuditTrail
  readonly #vault: Vault
  readonly #apiBudgets: Pick<CpuBudgets, 'spend'>
  readonly #records: ConnectionRecords
  readonly #delivered: DeliveredObjects
  readonly #schemas: SourceSchemas
  readonly #questions: StoreQuestions
  readonly #rules: StorageRules
  readonly #sweep: { stop: () => Promise<void> }

  constructor ({ config, metadata, vault, audit, queue, budgets, apiBudgets, log }: ConnectionServiceDeps) {
    this.#vault = vault
    this.#apiBudgets = apiBudgets
    const trail = this.trail = new AuditTrail(metadata, Date.now, audit)
    const records = this.#records = new ConnectionRecords(metadata, trail)
    const delivered = this.#delivered = new DeliveredObjects(metadata)
    const schemas = this.#schemas = new SourceSchemas(metadata)
    const limits = {
      maxRows: config.CONNECTOR_MAX_ROWS,
      maxColumns: config.MAX_COLUMNS,
      maxSeries: config.MAX_SERIES,
      maxCellChars: config.MAX_CELL_CHARS
    }
    this.#questions = new StoreQuestions({ records, trail, schemas, delivered, queue, budgets, limits })
    this.#rules = { policy: connectorPolicy(config), ambientAuth: config.CONNECTOR_AMBIENT_AUTH }
    const isLive = (tenant: string, connectionId: string): boolean => records.isLive(tenant, connectionId)
    this.#sweep = repeatSweep('connection sweep', sweepMs, log, async () => {
      await trail.sweep(Date.now() - config.AUDIT_RETENTION_DAYS * dayMs, isLive)
      await delivered.sweep(isLive)
    })
  }

  async create (tenant: string, actor: Actor, { connectorType, name, objectStorage: given }: NewConnection,
    within?: (tx: Transaction, record: ConnectionRecord) => void): Promise<ConnectionRecord> {
    const { objectStorage, credentials } = resolveObjectStorage(given, this.#rules)
    const atMs = Date.now()
    const connectionId = `conn_${ulid(atMs)}`
    const record: ConnectionRecord = {
      v: 1,
      connectionId,
      tenant,
      connectorType,
      name,
      objectStorage,
      credentials: this.#seal(tenant, connectionId, credentials),
      credential: summaryOf(objectStorage, credentials, atMs),
      status: 'untested',
      target: 1,
      capabilities: { conditionalPut: null, versioning: null },
      createdAtMs: atMs,
      updatedAtMs: atMs,
      lastTestedAtMs: null,
      lastErrorCode: null
    }
    await this.#records.add(record, actor, within)
    return record
  }

  list (tenant: string, limit: number, after: string | null): ReturnType<ConnectionService['list']> {
    return this.#records.list(tenant, limit, after)
  }

  get (tenant: string, connectionId: string): ConnectionRecord {
    return this.#records.find(tenant, connectionId)
  }

  async update (tenant: string, actor: Actor, connectionId: string,
    { name, objectStorage: change }: ConnectionChange): Promise<ConnectionRecord> {
    this.#records.find(tenant, connectionId)
    const event = { action: 'update', outcome: 'success' } as const
    return await this.#records.amend(tenant, actor, connectionId, event, (record, tx) => {
      const named = { ...record, name: name ?? record.name, updatedAtMs: Date.now() }
      if (change === undefined) return named
      const resolved = resolveObjectStorage(mergeObjectStorage(record.objectStorage, change), this.#rules,
        record.objectStorage)
      const next = redirect(named, resolved, this.#seal(tenant, connectionId, resolved.credentials))
      return readsOther(record.objectStorage, next.objectStorage) ? this.#schemas.forget(tx, next) : next
    })
  }

  async rotate (tenant: string, actor: Actor, connectionId: string,
    credentials: CredentialsInput): Promise<ConnectionRecord> {
    const { objectStorage } = this.#records.find(tenant, connectionId)
    if (objectStorage.authMethod !== 'access_key') {
      const error = `a connection with ${objectStorage.authMethod} has no credentials`
      throw new TabcastError('validation_error', undefined, {
        fields: [{ loc: ['body', 'credentials'], msg: error, type: 'value_error', ctx: { error } }]
      })
    }
    return await this.#records.amend(tenant, actor, connectionId, { action: 'rotate', outcome: 'success' },
      (record) =>
        redirect({ ...record, updatedAtMs: Date.now() }, { objectStorage: record.objectStorage, credentials },
          this.#seal(tenant, connectionId, credentials)))
  }

  async delete (tenant: string, actor: Actor, connectionId: string): Promise<void> {
    this.#records.find(tenant, connectionId)
    const event = { action: 'delete', outcome: 'success' } as const
    await this.#records.amend(tenant, actor, connectionId, event, (record, tx) => {
      this.#records.remove(tx, record)
      this.#schemas.forget(tx, record)
      return undefined
    })
  }

  async test (tenant: string, actor: Actor, connectionId: string): Promise<TestedConnection> {
    return await this.#questions.test(tenant, actor, connectionId)
  }

  async validate (tenant: string, actor: Actor, connectionId: string,
    dataset: ConnectionDataset): Promise<ValidatedSource> {
    return await this.#questions.validate(tenant, actor, connectionId, dataset)
  }

  async listObjects (tenant: string, actor: Actor, connectionId: string,
    page: { limit: number, startAfter: string }): Promise<StoredObjectPage> {
    return await this.#questions.listObjects(tenant, actor, connectionId, page)
  }

  audit (tenant: string, connectionId: string, limit: number,
    before: number | null): { records: AuditRecord[], next: number | null } {
    if (!isConnectionId(connectionId) || !this.trail.has(tenant, connectionId)) {
      throw new TabcastError('connection_not_found')
    }
    return this.trail.page(tenant, connectionId, limit, before)
  }

  readable (tenant: string, connectionId: string): ConnectionRecord {
    const record = this.#records.find(tenant, connectionId)
    sourceOf(record, this.#delivered)
    return record
  }

  destination (tenant: string, connectionId: string): ConnectionInput {
    return destinationOf(this.#records.find(tenant, connectionId))
  }

  source (tenant: string, connectionId: string): ConnectionInput | undefined {
    const record = this.#records.get(tenant, connectionId)
    // Metered here, because the dispatch of a job is not part of a metered request.
    const used = startClock()
    try {
      return record && sourceOf(record, this.#delivered)
    } finally {
      this.#apiBudgets.spend(tenant, 'api', used())
    }
  }

  async stop (): Promise<void> {
    await this.#sweep.stop()
  }

  #seal (tenant: string, connectionId: string, credentials: CredentialsInput | null): ConnectionRecord['credentials'] {
    return Object.fromEntries(
      Object.entries(credentials ?? {}).map((
        [field, secret]
      ) => [field, this.#vault.seal(secret, [tenant, connectionId, field])])
    )
  }
}
