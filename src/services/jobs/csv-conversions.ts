import type { Logger } from 'pino'
import type { ResultFile } from '../../domain/files.ts'
import { messageVersion } from '../../domain/message-version.ts'
import type { Config } from '../../platform/config.ts'
import { countedByAll, type ArrivingBytes } from '../../platform/disk/arriving-bytes.ts'
import type { DiskSpace } from '../../platform/disk/disk-space.ts'
import { TabcastError } from '../../platform/errors.ts'
import { jobFacts } from '../../platform/log/job-facts.ts'
import { QueueError, type ApiQueue } from '../../platform/queue/index.ts'
import type { QuickConvertReply } from '../../platform/queue/quick-messages.ts'
import { jobPrefix, outputKey } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { isRemoteStore } from '../../platform/store/store-config.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { JobLedger } from './job-ledger.ts'
import type { JobRecord } from './job-record.ts'
import { lateCsv, type LateCsv } from './late-csv.ts'
import { tableFilesOf } from './table-files.ts'

/** The worker's deadline is earlier by this much, so that its answer gives the reason. */
const answerMs = 5_000

interface ConversionDeps {
  config: Config
  ledger: JobLedger
  store: ObjectStore
  queue: ApiQueue
  room?: Pick<DiskSpace, 'arriving'> | undefined
  quotas?: Pick<Quotas, 'arriving'> | undefined
  log: Logger
}

/** Asks a worker to make the CSV of a large result, once a job, however many downloads wait for it. */
export class CsvConversions {
  readonly #deps: ConversionDeps
  readonly #underWay = new Map<string, Promise<JobRecord>>()

  constructor (deps: ConversionDeps) {
    this.#deps = deps
  }

  /**
   * The record with its CSV. The conversion goes on when the requesting download has gone, and the next one finds the
   * file.
   */
  async make ({ tenant, jobId }: JobRecord): Promise<JobRecord> {
    const underWay = this.#underWay.get(jobId)
    if (underWay !== undefined) return await underWay
    // The current record, since another download may have had the file made after the caller read its record.
    const record = this.#deps.ledger.get(tenant, jobId)
    if (record === undefined) throw new TabcastError('job_not_found')
    const late = lateCsv(record)
    if (late === undefined) return record
    const conversion = this.#convert(record, late).finally(() => {
      this.#underWay.delete(jobId)
    })
    this.#underWay.set(jobId, conversion)
    return await conversion
  }

  async #convert (record: JobRecord, late: LateCsv): Promise<JobRecord> {
    const { config, ledger, store, room, quotas, log } = this.#deps
    const { tenant, jobId } = record
    const csvBytes = late.csvBytes ?? config.MAX_CSV_BYTES
    // Reserve the bytes first. Every row repeats its id, so the CSV may be a thousand times as large as the upload.
    const arriving = countedByAll([
      ...(quotas === undefined ? [] : [() => quotas.arriving(tenant, csvBytes)]),
      ...(room === undefined || isRemoteStore(config) ? [] : [() => room.arriving(tenant, csvBytes)])
    ])
    let isKept = false
    try {
      const file = await this.#ask(record, late, csvBytes)
      if (file !== undefined) await this.#come(arriving, record, late, file)
      const completed = file === undefined ? undefined : await ledger.addFile(tenant, jobId, late.run, file)
      if (file !== undefined && completed !== undefined) {
        isKept = true
        log.info({ ...jobFacts(record), bytes: file.bytes }, 'CSV made')
        return completed
      }
    } finally {
      arriving.release(isKept)
    }
    // The job was deleted in the meantime, and its sweep may have run before the file was stored.
    await store.deletePrefix(jobPrefix(tenant, jobId))
    throw new TabcastError('job_not_found')
  }

  /** Deletes the file again when there is no room for it: it is larger than computed, or others took the room. */
  async #come (arriving: ArrivingBytes, record: JobRecord, { run }: LateCsv, { bytes }: ResultFile): Promise<void> {
    try {
      arriving.come(bytes)
    } catch (error) {
      await this.#deps.store.deleteKey(keyOf(record, run, tableFilesOf(record).csv))
      throw error
    }
  }

  /** undefined when the job was deleted, and its table with it. */
  async #ask (
    record: JobRecord,
    { run, parquet, budgetMs }: LateCsv,
    csvBytes: number
  ): Promise<ResultFile | undefined> {
    const { tenant, jobId } = record
    const keys = { parquetKey: keyOf(record, run, parquet.name), csvKey: keyOf(record, run, tableFilesOf(record).csv) }
    const request = { v: messageVersion, ...keys, roomBytes: parquet.bytes + csvBytes, budgetMs }
    let reply: QuickConvertReply
    try {
      reply = await this.#deps.queue.quickConvert(request, budgetMs + answerMs)
    } catch (error) {
      if (!(error instanceof QueueError)) throw error
      throw new TabcastError('compute_unavailable', 'This CSV has not been made yet, and no compute worker answered.', {
        suggestion: 'Ask again later, or use format=parquet.',
        cause: error
      })
    }
    if (reply.ok) return reply.file
    if ('busy' in reply) throw new TabcastError('server_overloaded', 'Too many CSV files are being made at the moment.')
    if (this.#deps.ledger.get(tenant, jobId) === undefined) return undefined
    const reason = reply.failed === 'dataset_too_large'
      ? 'to make this CSV takes more of the disk than a tenant may have'
      : undefined
    throw new TabcastError(reply.failed,
      reason === undefined ? 'The CSV could not be made.' : `The CSV could not be made: ${reason}.`, {
      suggestion: 'Use format=parquet.'
    })
  }
}

function keyOf ({ tenant, jobId }: JobRecord, run: string, name: string): string {
  return outputKey(jobPrefix(tenant, jobId), run, name)
}
