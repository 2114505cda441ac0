import { TabcastError } from '../../platform/errors.ts'
import type { Transaction } from '../../platform/metadata/metadata-store.ts'
import { orderedUlids } from '../../platform/new-ulid.ts'
import { byBytes } from '../../platform/turns/by-bytes.ts'
import { inPortions } from '../../platform/turns/in-portions.ts'
import type { Actor, AuditLog } from '../audit/audit-log.ts'
import type { ResolvedItem } from '../forecasts/batch-request.ts'
import { checkSheetName } from '../forecasts/input-format.ts'
import type { JobRecord, JobStatus } from '../jobs/job-record.ts'
import type { Download, JobSubmission, JobService } from '../jobs/job-service.ts'
import type { ObjectService, StoredInput } from '../objects/object-service.ts'
import type { BatchLedger } from './batch-ledger.ts'
import { isBatchId, type BatchRecord } from './batch-record.ts'
import { batchStatus, countJobs, type JobCounts } from './batch-status.ts'
import { entryNames } from './entry-names.ts'
import { defined } from '../../platform/defined.ts'

export interface BatchSubmission {
  keyId: string
  requestId: string
  traceparent?: string
  items: readonly ResolvedItem[]
}

export interface Batch<Job> {
  record: BatchRecord
  status: JobStatus
  counts: JobCounts
  /** The jobs that are neither deleted nor expired, in the order of the request. */
  jobs: Job[]
}

/** Resolves when a loop over jobs may continue. */
type Pause = () => Promise<unknown>

/** The most bytes of records that one commit deletes, since it reads each of them. */
const maxDeletedBytes = 512 * 1024

const nextUlid = orderedUlids()

/** Several forecasts of stored objects that are accepted together or not at all, and tracked as one. */
export class BatchService {
  readonly #ledger: BatchLedger
  readonly #jobs: JobService
  readonly #objects: ObjectService
  readonly #audit: AuditLog

  constructor (deps: { ledger: BatchLedger, jobs: JobService, objects: ObjectService, audit: AuditLog }) {
    this.#audit = deps.audit
    this.#ledger = deps.ledger
    this.#jobs = deps.jobs
    this.#objects = deps.objects
  }

  /** `within` runs in the transaction that records batch and jobs. */
  async create (tenant: string, { keyId, requestId, traceparent, items }: BatchSubmission,
    within?: (tx: Transaction, batch: Batch<JobRecord>) => void): Promise<Batch<JobRecord>> {
    this.#jobs.admit(tenant, items.length)
    const createdAtMs = Date.now()
    const batchId = `batch_${nextUlid(createdAtMs)}`
    const inputs = await this.#inputs(tenant, items)
    for (const [at, { spec }] of items.entries()) {
      checkSheetName((inputs[at] as StoredInput).format, spec, ['body', 'requests', at])
    }
    const submissions = items.map(({ customId, options, spec, callbackUrl }, at): JobSubmission => ({
      keyId,
      requestId,
      ...defined({ traceparent }),
      source: { kind: 'object', object: inputs[at] as StoredInput },
      spec,
      name: options.name ?? null,
      metadata: options.metadata ?? null,
      callbackUrl,
      at: ['body', 'requests', at],
      batch: { batchId, customId }
    }))
    const jobs = await this.#jobs.submitAll(tenant, submissions, (tx, records) => {
      const record: BatchRecord = {
        v: 1,
        batchId,
        tenant,
        keyId,
        requestId,
        createdAtMs,
        jobIds: records.map(({ jobId }) => jobId),
        left: records.length
      }
      this.#ledger.create(tx, record)
      this.#audit.append(tx, tenant, { keyId, requestId }, {
        action: 'batch.create',
        target: batchId,
        outcome: 'success'
      })
      within?.(tx, asBatch(record, [...records]))
    })
    const record = this.#ledger.get(tenant, batchId)
    // Its jobs may have been deleted since they were recorded.
    if (record === undefined) throw noSuchBatch()
    return asBatch(record, jobs)
  }

  /**
   * Reads the records in portions and keeps only what `view` makes of each. `bytes` is the stored size of the record. A
   * rejection of `pause` ends the read.
   */
  async get<Job> (tenant: string, batchId: string, view: (job: JobRecord, bytes: number) => Job,
    pause?: Pause): Promise<Batch<Job>> {
    const record = isBatchId(batchId) ? this.#ledger.get(tenant, batchId) : undefined
    const jobs: Job[] = []
    const counts = countJobs([])
    for await (const jobId of inPortions(record?.jobIds ?? [], pause)) {
      const entry = this.#jobs.entry(tenant, jobId)
      if (entry === undefined) continue
      counts[entry.value.status]++
      jobs.push(view(entry.value, entry.bytes))
    }
    if (record === undefined || jobs.length === 0) throw noSuchBatch()
    return { record, status: batchStatus(counts), counts, jobs }
  }

  /** Deletes the jobs; the last one takes the batch with it. */
  async delete (tenant: string, batchId: string, actor: Actor, pause?: Pause): Promise<void> {
    const { jobs } = await this.get(tenant, batchId, ({ jobId }, bytes) => ({ jobId, bytes }), pause)
    let isNoted = false
    for (const group of byBytes(jobs, maxDeletedBytes)) {
      await Promise.all(group.map(({ jobId }) =>
        this.#jobs.delete(tenant, jobId, (tx) => {
          if (!isNoted) {
            this.#audit.append(tx, tenant, actor, { action: 'batch.delete', target: batchId, outcome: 'success' })
          }
          isNoted = true
          this.#audit.append(tx, tenant, actor, { action: 'job.delete', target: jobId, outcome: 'success' })
        })
      ))
    }
  }

  /** The tables of all completed jobs. */
  async download (tenant: string, batchId: string, baseUrl: string): Promise<Extract<Download, { kind: 'zip' }>> {
    const { status, jobs } = await this.get(tenant, batchId,
      ({ jobId, status, batch }) => ({ jobId, status, ...defined({ batch }) }))
    if (status !== 'completed') throw notCompleted(status)
    const completed = jobs.filter((job) => job.status === 'completed')
    const names = entryNames(completed)
    const entries = []
    // One at a time, because the CSV of a large table is made on demand.
    for (const { jobId } of completed) {
      const job = this.#jobs.get(tenant, jobId)
      // Deleted in the meantime.
      if (job === undefined) continue
      const table = await this.#jobs.download(job, 'csv', baseUrl)
      if (table.kind === 'stream') {
        entries.push({ name: `${names.get(jobId)}/forecast.csv`, bytes: table.bytes, open: table.open })
      }
    }
    return { kind: 'zip', filename: `results_${batchId}.zip`, entries }
  }

  /** Looks up each object once, however many requests name it. */
  async #inputs (tenant: string, items: readonly ResolvedItem[]): Promise<StoredInput[]> {
    const inputs = new Map<string, StoredInput>()
    for (const { options: { object_id: objectId } } of items) {
      if (!inputs.has(objectId)) inputs.set(objectId, await this.#objects.asInput(tenant, objectId))
    }
    return items.map(({ options }) => inputs.get(options.object_id) as StoredInput)
  }
}

function asBatch (record: BatchRecord, jobs: JobRecord[]): Batch<JobRecord> {
  const counts = countJobs(jobs)
  return { record, status: batchStatus(counts), counts, jobs }
}

function noSuchBatch (): TabcastError {
  return new TabcastError('not_found', 'No such batch for this key.')
}

function notCompleted (status: JobStatus): TabcastError {
  const isFailed = status === 'failed'
  return new TabcastError('job_not_completed',
    isFailed ? 'All jobs of the batch failed; it has no result.' : `The batch is ${status}.`, {
    retryable: !isFailed,
    suggestion: isFailed
      ? 'See error and error_code of its jobs.'
      : 'Poll GET /forecast/batch/{batch_id} until status is completed.'
  })
}
