import type { Logger } from 'pino'
import type { ConnectionInput } from '../../domain/connection.ts'
import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { OutputFormat } from '../../domain/files.ts'
import { messageVersion as v } from '../../domain/message-version.ts'
import { DueRunner } from '../../platform/due-work/due-runner.ts'
import { TabcastError } from '../../platform/errors.ts'
import { jobFacts } from '../../platform/log/job-facts.ts'
import { QueueError, type ApiQueue } from '../../platform/queue/index.ts'
import type { QuickDeliverReply, QuickDeliverRequest } from '../../platform/queue/quick-messages.ts'
import { jobPrefix, outputKey } from '../../platform/store/keys.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import type { JobService } from '../jobs/job-service.ts'
import { tableFilesOf } from '../jobs/table-files.ts'
import { deliveryKey, type DeliveryLedger, type DeliveryOutcome } from './delivery-ledger.ts'

interface DeliveryDeskDeps {
  ledger: DeliveryLedger
  jobs: Pick<JobService, 'get' | 'amend'>
  /** Throws connection_not_found. */
  connection: (tenant: string, connectionId: string) => ConnectionInput
  queue: ApiQueue
  observer?: DeliveryObserver | undefined
  log: Logger
}

/** Counts attempts. Called after each one is recorded; must not throw. */
export interface DeliveryObserver {
  /** `isLast`: delivered or given up. */
  deliveryAttempted(code: ConnectorCode | null, isLast: boolean): void
}

/** Concurrent deliveries, in all and per tenant. */
const maxDeliveries = 8
const maxPerTenant = 4
/**
 * The deadline of an attempt: time to start a process and for the store's answers, plus the bytes at the slowest rate
 * of conversion and sending. It is short, because a killed worker never answers, and a second attempt does not harm a
 * slow one.
 */
const startMs = 15_000
const bytesPerMs = 500
/** JSON repeats the column names in every row. */
const madePerCsvByte = 4
/** The worker's deadline is earlier by this much, so that its answer gives the reason. */
const answerMs = 5_000

/** Failures of workers that may or may not pass by the next attempt, so they count as attempts. */
const troubles = {
  no_room: 'The disk of the service has no room to make the table. A table in file_format parquet needs the least.',
  pipeline_failed: 'The table could not be made.'
}
/** For codes whose default sentence speaks of a source. */
const wording: Partial<Record<ConnectorCode, string>> = {
  DATASET_TOO_LARGE:
    'To make the table takes more of the disk than a tenant may have. A table in file_format parquet needs the least.'
}

/**
 * Asks workers to write results to customers' stores, because only workers hold opened secrets. When no worker is free,
 * or our own store is down, no attempt is counted and the delivery stays due.
 */
export class DeliveryDesk {
  readonly #deps: DeliveryDeskDeps
  readonly #runner: DueRunner<Record<string, never>>
  /**
   * Destinations being written, one at a time each: a store without conditional writes is only checked before the
   * write.
   */
  readonly #destinations = new Set<string>()

  constructor (deps: DeliveryDeskDeps) {
    this.#deps = deps
    this.#runner = new DueRunner({
      name: 'deliveries',
      table: deps.ledger.due,
      mostListed: 2 * maxDeliveries,
      most: maxDeliveries,
      mostOfTenant: maxPerTenant,
      isFree: ({ lane: [tenant], id: jobId }) => !this.#destinations.has(this.#destination(tenant, jobId)),
      attempt: ({ lane: [tenant], id: jobId }) => this.#attempt(tenant, jobId)
    }, deps.log)
  }

  /** A delivery in progress goes on in its worker. It is repeated after the next start and finds its object. */
  async stop (): Promise<void> {
    await this.#runner.stop()
  }

  #destination (tenant: string, jobId: string): string {
    const record = this.#deps.jobs.get(tenant, jobId)
    return record?.delivery === undefined
      ? ''
      : JSON.stringify([tenant, record.delivery.connectionId, deliveryKey(record, record.delivery)])
  }

  async #attempt (tenant: string, jobId: string): Promise<void> {
    const { ledger, jobs, observer, log } = this.#deps
    const record = jobs.get(tenant, jobId)
    if (record?.delivery === undefined || record.delivery.dueMs === null) return
    const destination = this.#destination(tenant, jobId)
    this.#destinations.add(destination)
    try {
      if (record.delivery.status !== 'delivering') await jobs.amend(tenant, jobId, (current) => ledger.begin(current))
      const outcome = await this.#deliver(record)
      if (outcome === undefined) return
      const after = await jobs.amend(tenant, jobId, (current, tx) => ledger.settle(tx, current, outcome))
      const code = 'error' in outcome ? outcome.error : null
      observer?.deliveryAttempted(code, after?.delivery?.dueMs == null)
      log.info({ ...jobFacts(record), connectionId: record.delivery.connectionId, code }, 'delivery attempted')
    } finally {
      this.#destinations.delete(destination)
    }
  }

  async #deliver (record: JobRecord): Promise<DeliveryOutcome | undefined> {
    const request = this.#request(record)
    if ('error' in request) return request
    const reply = await this.#ask(request)
    if (reply.ok) return { uri: reply.uri, bytes: reply.bytes }
    if ('error' in reply) return { error: reply.error, text: wording[reply.error] }
    // The worker stopped because the job was deleted: nothing to record, nothing to retry.
    if (this.#deps.jobs.get(record.tenant, record.jobId) === undefined) return undefined
    // Throwing makes the runner pause and try again.
    if ('busy' in reply) throw new Error('every worker is busy with deliveries')
    if (reply.failed === 'storage_error') throw new Error('our own store did not give the table to deliver')
    return { error: 'INTERNAL_ERROR', text: troubles[reply.failed] }
  }

  async #ask (request: QuickDeliverRequest): Promise<QuickDeliverReply> {
    try {
      return await this.#deps.queue.quickDeliver(request, request.budgetMs + answerMs)
    } catch (cause) {
      if (cause instanceof QueueError) throw new Error('no worker answered to a delivery', { cause })
      throw cause
    }
  }

  #request (record: JobRecord): QuickDeliverRequest | { error: ConnectorCode, text: string } {
    const { tenant, jobId, delivery, winner, files } = record
    if (delivery === undefined || winner === null) throw new Error(`the job ${jobId} has nothing to deliver`)
    const { connectionId, fileFormat, allowOverwrite } = delivery
    const source = files.find(({ name }) => name === `forecast.${fileFormat}`) ??
      files.find(({ name }) => name === tableFilesOf(record).parquet)
    if (source === undefined) throw new Error(`the job ${jobId} has no table`)
    const csvBytes = files.find(({ name }) => name === 'forecast.csv')?.bytes ?? source.csvBytes
    const isMade = !source.name.endsWith(`.${fileFormat}`)
    try {
      return {
        v,
        jobId,
        connection: this.#deps.connection(tenant, connectionId),
        source: {
          key: outputKey(jobPrefix(tenant, jobId), winner, source.name),
          fileFormat: source.name.split('.').at(-1) as OutputFormat
        },
        fileFormat,
        key: deliveryKey(record, delivery),
        allowOverwrite,
        ...(isMade && csvBytes === undefined
          ? {}
          : { roomBytes: source.bytes + (isMade ? madePerCsvByte * (csvBytes ?? 0) : 0) }),
        budgetMs: startMs + Math.ceil(source.bytes / bytesPerMs)
      }
    } catch (error) {
      // The connection was deleted after the job was submitted.
      if (error instanceof TabcastError && error.code === 'connection_not_found') {
        return { error: 'INVALID_CONFIGURATION', text: 'The data connection was deleted before the table was written.' }
      }
      throw error
    }
  }
}
