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

/** A complete upload, counted and hashed: a file in the spool folder, which the service moves or deletes, or bytes. */
export interface SpooledFile {
  path: string
  /** A small upload. There is no file then. */
  content?: Buffer
  bytes: number
  sha256: string
  format: FileFormat
}

/** An upload in the store, under the id of the job that may read it. */
export interface StagedUpload {
  jobId: string
  key: string
  bytes: number
  sha256: string
  format: FileFormat
}

/**
 * The source of the data. Objects are read in place, connections by the job; both must exist when the job is recorded.
 */
export type JobSource =
  | { kind: 'upload', upload: SpooledFile }
  /** `checked`: the result of an earlier full content check with this specification. */
  | { kind: 'staged', staged: StagedUpload, checked?: Checked }
  | { kind: 'object', object: { objectId: string, key: string, format: FileFormat, bytes: number } }
  | { kind: 'connection', connectionId: string }

/** A forecast; with `spec.training`, the training of a model; with a `TabularSpec`, a classification or regression. */
export interface JobSubmission {
  keyId: string
  requestId: string
  /** From `readTraceparent`; absent when the request had none. */
  traceparent?: string
  source: JobSource
  spec: JobSpec
  name: string | null
  metadata: Record<string, unknown> | null
  callbackUrl: string | null
  /** Notes on the request for the caller, one sentence each: warnings of the job with the code `agent_note`. */
  notes?: string[]
  /** The job's position in the request, for errors about its data; default: the body itself. */
  at?: Array<string | number>
  batch?: NonNullable<JobRecord['batch']>
  delivery?: NonNullable<JobRecord['delivery']>
  sandbox?: NonNullable<JobRecord['sandbox']>
}

export interface JobQuery {
  /** Empty: all. */
  statuses: JobStatus[]
  jobType: string | null
  createdAfterMs: number | null
  limit: number
  /** The last job id of the previous page. */
  before: string | null
}

export interface JobServiceState {
  connected: boolean
  workers: number
  /** Waiting jobs of tenants, without the sandbox's. */
  waiting: number
  /** Of all workers. */
  slots: number
  freeSlots: number
}

/** Progress of an open job, from news that may be lost. */
export interface JobProgress {
  stage: string
  /** 0 to 1. */
  fraction: number
  /** Set while the job is computed in shards. */
  shards?: { done: number, total: number }
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

/** All reads work without NATS and without a worker. Expected errors are TabcastErrors. */
export interface JobService {
  /** Throws server_overloaded or compute_unavailable before an upload is read. */
  admit(tenant: string, count?: number): void
  /** Stores an upload before its job is known. Pass it to `submit`, or delete it with `unstage`. */
  stage(tenant: string, upload: SpooledFile): Promise<StagedUpload>
  unstage(tenant: string, staged: StagedUpload): Promise<void>
  /**
   * Stores the upload, has a worker check it, and writes record and outbox entry to disk. A refused upload leaves
   * nothing behind.
   */
  submit(tenant: string, submission: JobSubmission, within?: Within): Promise<JobRecord>
  /** Like `submit`, in one transaction: all jobs or none. */
  submitAll(tenant: string, submissions: readonly JobSubmission[], within?: WithinAll): Promise<JobRecord[]>
  /**
   * Runs `read`, which reads `bytes`, when it is the tenant's turn among the checks. For everything that a worker reads
   * while a caller waits. `read` throws CheckStopped if it took more than `mostMs` milliseconds of a core; its turn
   * comes again then, without a limit.
   */
  takeTurn<T extends { cpuMs?: number }>(tenant: string, bytes: number,
    read: (mostMs?: number) => Promise<T>): Promise<T>
  get(tenant: string, jobId: string): JobRecord | undefined
  /** Like `get`, with the revision of the record, which grows with each change. */
  entry(tenant: string, jobId: string): Entry<JobRecord> | undefined
  /** The size of the record, which is not read for this; undefined when there is none. */
  bytes(tenant: string, jobId: string): number | undefined
  progress(record: JobRecord): JobProgress | null
  /** Calls the listener after changes of the job or its progress, until the returned function is called. */
  follow(jobId: string, listener: () => void): () => void
  /** Resolves at the next change of state, after `seconds`, or when `signal` aborts, with the current record. */
  wait(tenant: string, jobId: string, seconds: number, signal: AbortSignal,
    payer?: string): Promise<JobRecord | undefined>
  /** Newest first. `next` is the `before` of the next page; null at the end. A page may be short. */
  list(tenant: string, query: JobQuery): { jobs: JobRecord[], next: string | null }
  /** False when there is no such job. Once it resolves, no read succeeds, and reads in progress have been cut off. */
  delete(tenant: string, jobId: string, within?: Within): Promise<boolean>
  /** `baseUrl` is where clients reach this service, for signed URLs. */
  download(record: JobRecord, format: DownloadFormat | null, baseUrl: string): Promise<Download>
  /** A file that explains the result of a job. */
  artifact(record: JobRecord, name: string): Promise<FileDownload | undefined>
  /** Whether the key belongs to a file of an existing job. */
  isReadable(key: string): boolean
  /**
   * A file of a job by its key in the store; undefined when the job is gone. The stream breaks off when the job is
   * deleted. Rejects with a StoreError.
   */
  openFile(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Changes the callback or delivery of a job that has ended; undefined when the job is gone. */
  amend(tenant: string, jobId: string, change: Amendment): Promise<JobRecord | undefined>
  /**
   * Runs the content check of a stored file without a job, and throws the faults that it finds. `place` locates the
   * data in the request; default: the object id.
   */
  check(tenant: string, input: ContentCheck['input'] & { objectId?: string }, spec: JobSpec,
    place?: ContentCheck['place']): Promise<Checked>
  state(): JobServiceState
  /** Sends open jobs without a run to the queue again. */
  redrive(request: RedriveRequest): Promise<Redriven[]>
  /** Compares the record with the queue. Rejects with a QueueError. */
  compareWithQueue(): Promise<QueueComparison>
}
