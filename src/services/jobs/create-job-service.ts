import type { Readable } from 'node:stream'
import { ulid } from 'ulid'
import type { JobSpec } from '../../domain/job.ts'
import { defined } from '../../platform/defined.ts'
import type { Entry } from '../../platform/metadata/metadata-store.ts'
import type { WorkerMessage } from '../../platform/queue/worker-message.ts'
import type { ByteRange } from '../../platform/store/object-store.ts'
import { repeatSweep } from '../../platform/time/repeat-sweep.ts'
import { checkContent, type Checked, type ContentCheck } from './check-content.ts'
import type { Amendment, Within, WithinAll } from './job-ledger.ts'
import { connectParts, type JobParts, type JobServiceDeps } from './job-parts.ts'
import { isJobId, isTerminal, type JobRecord } from './job-record.ts'
import { JobRemoval } from './job-removal.ts'
import type { Download, DownloadFormat, FileDownload, JobProgress, JobQuery, JobService, JobServiceState, JobSubmission,
  SpooledFile, StagedUpload } from './job-service.ts'
import { listJobs } from './list-jobs.ts'
import { LongPolls } from './long-polls.ts'
import { compareWithQueue, type QueueComparison } from './queue-comparison.ts'
import { QueueFollower } from './queue-follower.ts'
import { redrive, type Redriven, type RedriveRequest } from './redrive.ts'

export interface RunningJobService extends JobService {
  /**
   * Resolves when the open jobs of earlier processes are known; serve no request before that. Rejects when one of them
   * cannot be read.
   */
  restored: Promise<void>
  /** Leaves the protocol, after finishing work in progress. */
  stop(): Promise<void>
  /** The last announcements of all workers that can be heard, including those that are stopping. */
  workers(): WorkerMessage[]
}

const orphanSweepMs = 3_600_000

/** The api's side of the job contract. Reads work at once; the rest follows the connection to the queue. */
export function createJobService (deps: JobServiceDeps): RunningJobService {
  return new RecordedJobs(deps)
}

class RecordedJobs implements RunningJobService {
  readonly restored: Promise<void>
  readonly #deps: JobServiceDeps
  readonly #parts: JobParts
  readonly #removal: JobRemoval
  readonly #follower: QueueFollower
  readonly #polls: LongPolls
  readonly #sweeps: Array<{ stop: () => Promise<void> }>

  constructor (deps: JobServiceDeps) {
    const { config, store, queue, log, models } = deps
    this.#deps = deps
    const parts = this.#parts = connectParts(deps)
    const keptKey = models?.keptKey ?? (() => undefined)
    const { sweeper } = this.#removal = new JobRemoval({ parts, store, queue, keptKey, log })
    this.#follower = new QueueFollower(deps, parts)
    this.restored = this.#follower.restored
    // Expiry and the deletion of objects do not need the queue.
    this.#sweeps = [
      repeatSweep('sweep', config.SWEEP_MS, log, () => sweeper.run()),
      repeatSweep('orphans', orphanSweepMs, log, () => sweeper.sweepOrphans(orphanSweepMs))
    ]
    this.#polls = new LongPolls({
      maxPerTenant: config.LONG_POLLS_PER_TENANT,
      find: (tenant, jobId) => this.get(tenant, jobId),
      watchers: parts.watchers
    }, parts.listenerFailed)
  }

  admit (tenant: string, count?: number): void {
    this.#parts.admission.check(tenant, count)
  }

  async stage (tenant: string, upload: SpooledFile): Promise<StagedUpload> {
    return await this.#parts.intake.stage(tenant, upload)
  }

  async unstage (tenant: string, staged: StagedUpload): Promise<void> {
    await this.#parts.intake.unstage(tenant, staged)
  }

  async submit (tenant: string, submission: JobSubmission, within?: Within): Promise<JobRecord> {
    const [record] = await this.submitAll(tenant, [submission], (tx, records) => {
      for (const one of records) within?.(tx, one)
    })
    return record as JobRecord
  }

  async submitAll (tenant: string, submissions: readonly JobSubmission[], within?: WithinAll): Promise<JobRecord[]> {
    return await this.#parts.intake.submit(tenant, submissions, within)
  }

  async takeTurn<T extends { cpuMs?: number }> (tenant: string, bytes: number,
    read: (mostMs?: number) => Promise<T>): Promise<T> {
    return await this.#parts.checks.run(tenant, `read_${ulid()}`, bytes, read, ({ cpuMs }) => cpuMs)
  }

  async amend (tenant: string, jobId: string, change: Amendment): Promise<JobRecord | undefined> {
    const record = await this.#parts.ledger.amend(tenant, jobId, change)
    if (record !== undefined) this.#parts.watchers.notify(jobId)
    return record
  }

  get (tenant: string, jobId: string): JobRecord | undefined {
    return isJobId(jobId) ? this.#parts.ledger.get(tenant, jobId) : undefined
  }

  entry (tenant: string, jobId: string): Entry<JobRecord> | undefined {
    return isJobId(jobId) ? this.#parts.ledger.entry(tenant, jobId) : undefined
  }

  bytes (tenant: string, jobId: string): number | undefined {
    return isJobId(jobId) ? this.#parts.ledger.bytes(tenant, jobId) : undefined
  }

  follow (jobId: string, listener: () => void): () => void {
    return this.#parts.watchers.subscribe(jobId, listener, { ofProgress: true })
  }

  list (tenant: string, query: JobQuery): { jobs: JobRecord[], next: string | null } {
    return listJobs(this.#parts.ledger, tenant, query)
  }

  async download (record: JobRecord, format: DownloadFormat | null, baseUrl: string): Promise<Download> {
    return await this.#parts.downloads.open(record, format, baseUrl)
  }

  async artifact (record: JobRecord, name: string): Promise<FileDownload | undefined> {
    return await this.#parts.downloads.artifact(record, name)
  }

  isReadable (key: string): boolean {
    return this.#parts.reads.isReadable(key)
  }

  async openFile (key: string, range?: ByteRange): Promise<Readable | undefined> {
    return await this.#parts.reads.open(key, range)
  }

  progress (record: JobRecord): JobProgress | null {
    if (isTerminal(record)) return null
    const stage = this.#parts.claims.stage(record)
    const queuePosition = this.#parts.dispatcher.position(record) ?? null
    return {
      stage: stage?.stage ?? 'queue',
      fraction: stage?.fraction ?? 0,
      ...defined({ shards: stage?.shards }),
      queuePosition
    }
  }

  async wait (tenant: string, jobId: string, seconds: number, signal: AbortSignal,
    payer?: string): Promise<JobRecord | undefined> {
    return await this.#polls.wait(tenant, jobId, seconds, signal, payer)
  }

  async delete (tenant: string, jobId: string, within?: Within): Promise<boolean> {
    return isJobId(jobId) && await this.#removal.delete(tenant, jobId, within)
  }

  async check (tenant: string, input: ContentCheck['input'] & { objectId?: string }, spec: JobSpec,
    place: ContentCheck['place'] = { data: ['body', 'object_id'], options: ['body'] }): Promise<Checked> {
    const { config, queue, assertObject } = this.#deps
    const { checks, budgets } = this.#parts
    const assertThere = (): void => {
      if (input.objectId !== undefined) assertObject?.(tenant, input.objectId)
    }
    const check = { tenant, input, spec, depth: 'full', place, assertThere } as const
    return await checks.run(tenant, `estimate_${ulid()}`, input.bytes,
      (mostMs) => checkContent({ config, queue, budgets }, check, mostMs), ({ cpuMs }) => cpuMs)
  }

  state (): JobServiceState {
    const workers = this.#parts.presence.available()
    const sum = (count: (worker: WorkerMessage) => number) =>
      workers.reduce((total, worker) => total + count(worker), 0)
    return {
      connected: this.#deps.queue.connected,
      workers: workers.length,
      waiting: this.#parts.admission.waitingOfTenants,
      slots: sum(({ slots }) => slots),
      freeSlots: sum(({ freeAny, freeSmall }) => freeAny + freeSmall)
    }
  }

  async redrive (request: RedriveRequest): Promise<Redriven[]> {
    const { ledger, presence, dispatcher } = this.#parts
    const { queue, config } = this.#deps
    return await redrive({ ledger, queue, presence, dispatcher, leaseMs: config.LEASE_MS }, request)
  }

  async compareWithQueue (): Promise<QueueComparison> {
    const { ledger, presence } = this.#parts
    const { queue, config } = this.#deps
    return await compareWithQueue({ ledger, queue, presence, leaseMs: config.LEASE_MS })
  }

  workers (): WorkerMessage[] {
    return this.#parts.presence.heard()
  }

  async stop (): Promise<void> {
    this.#polls.endAll()
    await this.#follower.stop()
    this.#parts.dispatcher.stop()
    for (const sweep of this.#sweeps) await sweep.stop()
    await this.#follower.stopTasks()
    await this.#parts.dispatcher.idle()
  }
}
