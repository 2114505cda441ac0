import type { Readable } from 'node:stream'
import type { FileFormat } from '../../domain/files.ts'
import type { JobSpec } from '../../domain/job.ts'
import type { Entry } from '../../platform/metadata/metadata-store.ts'
import type { ByteRange } from '../../platform/store/object-store.ts'
import type { Checked, ContentCheck } from './check-content.ts'
import type { Within, WithinAll, Amendment } from './job-ledger.ts'
import type { JobRecord, JobStatus } from './job-record.ts'
import type { QueueComparison } from './queue-comparison.ts'
import type { Redriven, RedriveRequest } from './redrive.ts'

/**
 * An upload that lies whole, counted, hashed and synced in the spool folder. The service moves it away or deletes it.
 */
export interface SpooledFile {
  path: string
  bytes: number
  sha256: string
  format: FileFormat
}

/** An upload that lies in the store where its job, if there comes to be one, reads it. */
export interface StagedUpload {
  jobId: string
  key: string
  bytes: number
  sha256: string
  format: FileFormat
}

/**
 * Where the data comes from. An object is read where it lies, a connection by the job; both have to be there when the
 * job is recorded.
 */
export type JobSource =
  | { kind: 'upload', upload: SpooledFile }
  /** `checked`: what the full content check with this specification has found already. */
  | { kind: 'staged', staged: StagedUpload, checked?: Checked }
  | { kind: 'object', object: { objectId: string, key: string, format: FileFormat, bytes: number } }
  | { kind: 'connection', connectionId: string }

/** A forecast, with `spec.training` the training of a model, or with a `TabularSpec` a classification or regression. */
export interface JobSubmission {
  keyId: string
  requestId: string
  /** As `readTraceparent` gives it; absent: the request had none. */
  traceparent?: string
  source: JobSource
  spec: JobSpec
  name: string | null
  metadata: Record<string, unknown> | null
  callbackUrl: string | null
  /** What the caller should know of its request, a sentence each: warnings of the job with the code `agent_note`. */
  notes?: string[]
  /** Where this job stands in the request, for the errors of its data; default: the body itself. */
  at?: Array<string | number>
  batch?: NonNullable<JobRecord['batch']>
  delivery?: NonNullable<JobRecord['delivery']>
  sandbox?: NonNullable<JobRecord['sandbox']>
}

export interface JobQuery {
  /** Empty: any. */
  statuses: JobStatus[]
  jobType: string | null
  createdAfterMs: number | null
  limit: number
  /** The last job id of the page before. */
  before: string | null
}

export interface JobServiceState {
  connected: boolean
  workers: number
  /** Jobs of tenants that wait. */
  waiting: number
  /** Of all workers. */
  slots: number
  freeSlots: number
}

/** Lossy news of a job that is not terminal. */
export interface JobProgress {
  stage: string
  /** 0 to 1. */
  fraction: number
  /** Jobs that would start before this one under fair turns; null once it is out of the backlog. */
  queuePosition: number | null
}

export type DownloadFormat = 'csv' | 'parquet' | 'zip' | 'presign'

export interface FileDownload {
  kind: 'stream'
  open: () => Promise<Readable>
  bytes: number
  contentType: string
  filename: string
}

export type Download =
  | { kind: 'redirect', url: string }
  | FileDownload
  /** Entries are stored in this order. */
  | { kind: 'zip', filename: string, entries: Array<{ name: string, bytes: number, open: () => Promise<Readable> }> }

/** All reads work without NATS and without a worker; everything that throws on purpose throws a TabcastError. */
export interface JobService {
  /** Throws server_overloaded or compute_unavailable before an upload is read. */
  admit(tenant: string, count?: number): void
  /** Stores an upload before it is known what job it is for; `submit` takes it from there, or `unstage` deletes it. */
  stage(tenant: string, upload: SpooledFile): Promise<StagedUpload>
  unstage(tenant: string, staged: StagedUpload): Promise<void>
  /**
   * Store the upload, have a worker check it, put record and outbox entry on disk. A refused upload leaves nothing
   * behind.
   */
  submit(tenant: string, submission: JobSubmission, within?: Within): Promise<JobRecord>
  /** As `submit`, in one transaction: all of them or none. */
  submitAll(tenant: string, submissions: readonly JobSubmission[], within?: WithinAll): Promise<JobRecord[]>
  /** What `read` gives, in the tenant's turn among the checks: for all that a worker reads while a caller waits. */
  takeTurn<T>(tenant: string, read: () => Promise<T>): Promise<T>
  get(tenant: string, jobId: string): JobRecord | undefined
  /** As `get`, with the revision of the record, which grows with each change. */
  entry(tenant: string, jobId: string): Entry<JobRecord> | undefined
  /** Of its record, which is not read for that; undefined when there is none. */
  bytes(tenant: string, jobId: string): number | undefined
  progress(record: JobRecord): JobProgress | null
  /** Calls the listener after changes of the job and of its progress, until the returned function is called. */
  follow(jobId: string, listener: () => void): () => void
  /** Resolves at the next change of state, after `seconds`, or when `signal` aborts, with the record as it is then. */
  wait(tenant: string, jobId: string, seconds: number, signal: AbortSignal,
    payer?: string): Promise<JobRecord | undefined>
  /** Newest first. `next` is the `before` of the next page; null when there is none. A page may be short. */
  list(tenant: string, query: JobQuery): { jobs: JobRecord[], next: string | null }
  /** False: no such job. When it resolves no read succeeds any more, and those under way have been cut off. */
  delete(tenant: string, jobId: string, within?: Within): Promise<boolean>
  /** `baseUrl` is where clients reach this service, for signed URLs. */
  download(record: JobRecord, format: DownloadFormat | null, baseUrl: string): Promise<Download>
  /** A file that explains the result of a job. */
  artifact(record: JobRecord, name: string): Promise<FileDownload | undefined>
  /** Whether the key is that of a file of a job that is there. */
  isReadable(key: string): boolean
  /**
   * A file of a job by its key in the store; undefined when the job is gone. It breaks off when the job is deleted.
   * Rejects with a StoreError.
   */
  openFile(key: string, range?: ByteRange): Promise<Readable | undefined>
  /**
   * Changes what may change of a job that has ended: how its callback and its delivery go. undefined: the job is gone.
   */
  amend(tenant: string, jobId: string, change: Amendment): Promise<JobRecord | undefined>
  /**
   * What the content check before a job finds in a stored file; throws what is wrong with it, `place` saying where in
   * the request, by default an object id.
   */
  check(tenant: string, input: ContentCheck['input'] & { objectId?: string }, spec: JobSpec,
    place?: ContentCheck['place']): Promise<Checked>
  state(): JobServiceState
  /** Sends open jobs that nobody works on to the queue again. */
  redrive(request: RedriveRequest): Promise<Redriven[]>
  /** How the record stands against the queue. Rejects with a QueueError. */
  compareWithQueue(): Promise<QueueComparison>
}
