import type { ConnectionDataset, ObjectStorage } from '../../domain/connection.ts'
import type { ConnectorResults, StoredObjectPage } from '../../domain/connector-results.ts'
import type { TableLimits } from '../../domain/limits.ts'
import type { ApiQueue } from '../../platform/queue/index.ts'
import type { QuickConnectorRequest } from '../../platform/queue/quick-messages.ts'
import { ConnectorError } from '../../sources/connectors/connector-error.ts'
import type { Actor } from '../audit/audit-log.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import type { AuditEvent, AuditTrail } from './audit-trail.ts'
import { sourceOf } from './connection-input.ts'
import type { ConnectionRecord } from './connection-record.ts'
import type { ConnectionRecords } from './connection-records.ts'
import type { TestedConnection, ValidatedSource } from './connection-service.ts'
import { connectorFailure } from './connector-failure.ts'
import { askConnector } from './connector-requests.ts'
import type { DeliveredObjects } from './delivered-objects.ts'
import { driftCheck, rememberedColumns, schemaDrift } from './schema-drift.ts'
import type { SourceSchemas } from './source-schemas.ts'

export interface StoreQuestionsDeps {
  records: ConnectionRecords
  trail: AuditTrail
  schemas: SourceSchemas
  delivered: DeliveredObjects
  queue: ApiQueue
  budgets: Pick<CpuBudgets, 'spend'>
  limits: TableLimits
}

/** Has a worker look at a tenant's own store, and records what it found. */
export class StoreQuestions {
  readonly #deps: StoreQuestionsDeps

  constructor (deps: StoreQuestionsDeps) {
    this.#deps = deps
  }

  async test (tenant: string, actor: Actor, connectionId: string): Promise<TestedConnection> {
    const { records } = this.#deps
    const record = records.find(tenant, connectionId)
    const test = await this.#ask<'test'>(record, actor, 'test', { operation: 'test' })
    const errorCode = test.checks.find(({ status }) => status === 'failed')?.errorCode ?? null
    const checkedAtMs = Date.now()
    const event = {
      action: 'test',
      outcome: errorCode === null ? 'success' : 'failure',
      errorCode,
      objectUri: uriOf(record.objectStorage)
    } as const
    const tested = await records.amend(tenant, actor, connectionId, event, (now) =>
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
  }

  async validate (tenant: string, actor: Actor, connectionId: string,
    dataset: ConnectionDataset): Promise<ValidatedSource> {
    const { records, schemas, limits } = this.#deps
    const record = records.find(tenant, connectionId)
    const found = await this.#ask<'validate'>(record, actor, 'validate', { operation: 'validate', dataset, limits })
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
    await records.amend(tenant, actor, connectionId, event,
      (now, tx) =>
        schemas.put(tx, now, { fingerprint: found.schemaFingerprint, columns: rememberedColumns(found.columns) }))
    return { validation: found, checks, drift }
  }

  async listObjects (tenant: string, actor: Actor, connectionId: string,
    { limit, startAfter }: { limit: number, startAfter: string }): Promise<StoredObjectPage> {
    const { records, trail } = this.#deps
    const record = records.find(tenant, connectionId)
    const page = await this.#ask<'list'>(record, actor, 'list', { operation: 'list', limit, startAfter })
    await trail.add(tenant, connectionId, {
      action: 'list',
      outcome: 'success',
      objectUri: uriOf(record.objectStorage),
      ...actor
    })
    return page
  }

  /** Records a failure of the store before reporting it. */
  async #ask<O extends keyof ConnectorResults> (
    record: ConnectionRecord,
    actor: Actor,
    action: AuditEvent['action'],
    request: Omit<Extract<QuickConnectorRequest, { operation: O }>, 'v' | 'budgetMs' | 'connection'>
  ): Promise<ConnectorResults[O]> {
    const { queue, budgets, delivered, trail } = this.#deps
    try {
      return await askConnector<O>({ queue, budgets },
        { ...request, connection: sourceOf(record, delivered) } as Parameters<typeof askConnector<O>>[1])
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
}

function uriOf ({ bucket, prefix }: ObjectStorage): string {
  return `s3://${bucket}/${prefix}`
}
