import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { DatasetProfile } from '../../domain/dataset-profile.ts'
import type { ErrorCode } from '../../domain/error-codes.ts'
import type { ExplainabilityOutcome, JobExplanation } from '../../domain/explainability-spec.ts'
import type { ExternalCovariatesReport } from '../../domain/external-covariates-spec.ts'
import type { FileFormat, ModelFile, OutputFormat, ResultFile } from '../../domain/files.ts'
import type { JobWarning, SourceRead, TrainedModel } from '../../domain/job-result.ts'
import type { JobSize, JobSpec, JobType } from '../../domain/job.ts'
import type { PreparationReport } from '../../domain/preparation-spec.ts'
import type { ReconciliationSummary } from '../../domain/reconciliation-summary.ts'
import type { TabularOutcome, TabularProfile } from '../../domain/tabular-spec.ts'

export const jobStatuses = ['pending', 'running', 'completed', 'failed'] as const
export type JobStatus = typeof jobStatuses[number]

/** Types of what a job is recorded as; a worker does the same for a job of the sandbox as for any other one. */
export type RecordedJobType = JobType | 'sandbox_forecast' | 'sandbox_classification' | 'sandbox_regression'

/** Code of warnings about a request; those about its data come from the check, and then from the run. */
export const requestNote = 'agent_note'

/**
 * What the service knows about one job: the record of truth, in LMDB under [tenant, jobId]. Job ids are ULIDs, so the
 * keys of a tenant are in order of creation. Times are milliseconds since 1970, UTC.
 */
export interface JobRecord {
  v: 1
  jobId: string
  tenant: string
  /** The id part of the API key that created the job. */
  keyId: string
  requestId: string
  /** Of the request that created the job; absent: it had none. */
  traceparent?: string
  jobType: RecordedJobType
  status: JobStatus
  size: JobSize
  createdAtMs: number
  startedAtMs: number | null
  completedAtMs: number | null
  /** Set when the job ends; retention counts from there. */
  expiresAtMs: number | null
  name: string | null
  metadata: Record<string, unknown> | null
  /** A `TabularSpec` for `classification` and `regression`. */
  spec: JobSpec
  configHash: string
  input: StoredInput | ConnectedInput
  /** Of `spec.modelId`, as it was when the job was taken: its bytes stay until the job ends. */
  model?: ModelFile
  /** From the content check before the 202; null for inputs above its size limit. */
  profile: DatasetProfile | TabularProfile | null
  /** Raised at each intended dispatch; part of the queue's message id. */
  dispatch: number
  /** Sequence of the newest message in the JOBS stream; null while the job waits in the outbox. */
  streamSequence: number | null
  /** Runs granted so far. */
  attempt: number
  /** The newest run that was granted. */
  run: string | null
  slotDeaths: number
  /** Workers that died or fell silent with the job; not those that gave it back. */
  lostWorkers: number
  /** The newest run that a worker gave back unfinished, or was told to stop. */
  givenBack?: string
  /** The newest run that a worker was told to stop, because others need its slot. */
  stopped?: string
  /** Runs of a job of the sandbox that were stopped for jobs of tenants. */
  preemptions?: number
  /** Runs that were given back because the worker could not run anything. */
  troubles?: number
  /** The run whose outputs are the job's outputs. */
  winner: string | null
  files: ResultFile[]
  numItems: number | null
  datasetHash: string | null
  /** null: a model that has not been trained yet. */
  modelVersion: string | null
  timings: Record<string, number> | null
  warnings: JobWarning[]
  /** Absent: rows are used as they are, or the job has not completed. */
  preparation?: PreparationReport
  /** Absent: none were asked for, or the job has not completed. */
  externalCovariates?: ExternalCovariatesReport
  /** Absent: none was asked for, or the job has not completed. */
  reconciliation?: ReconciliationSummary
  /** Absent: no model was asked for, or the job has not completed. */
  trained?: TrainedModel
  /** Absent: the job is no classification or regression, or has not completed. */
  tabular?: TabularOutcome
  /** Absent: no analyses were asked for, or the job has not completed. */
  explainability?: ExplainabilityOutcome
  /** Absent: the job is no forecast, could not be put into words, or has not completed. */
  explanation?: JobExplanation
  error: string | null
  errorCode: ErrorCode | null
  /** What was wrong with the tenant's own store; absent: nothing. */
  connectorCode?: ConnectorCode
  /** Where the end of the job is announced; absent: nowhere. */
  callback?: { url: string, status: CallbackStatus }
  /** Absent: the result stays here. */
  delivery?: JobDelivery
  /** Absent: the job was asked for alone. */
  batch?: { batchId: string, customId: string | null }
  /** Absent: the job is a tenant's. */
  sandbox?: SandboxOrigin
}

/** `claim`: HMAC of the domain whose sandbox job it is, as hex. */
export interface SandboxOrigin {
  claim: string
}

/**
 * A file in our object store. `objectId`: a stored object of the tenant, which stays when the job goes; its hash is not
 * known.
 */
export interface StoredInput {
  key: string
  format: FileFormat
  bytes: number
  sha256: string | null
  objectId?: string
}

/** A source in the tenant's own store, which is read by the job. `read` is what the last run found there. */
export interface ConnectedInput {
  connectionId: string
  read?: SourceRead
}

/** Writing the table back to a customer's store. */
export interface JobDelivery {
  connectionId: string
  /** May hold `{job_id}` and `{date}`. */
  keyTemplate: string
  fileFormat: OutputFormat
  allowOverwrite: boolean
  status: DeliveryStatus
  /** `s3://bucket/key`; null until the job has completed. */
  uri: string | null
  /** One of the connectors' fixed sentences. */
  error: string | null
  attempts: number
  /** When the next attempt is due; null: none is. */
  dueMs: number | null
}

/** `skipped`: the forecast failed, so there is nothing to write. */
export const deliveryStatuses = ['pending', 'delivering', 'delivered', 'failed', 'skipped'] as const
export type DeliveryStatus = typeof deliveryStatuses[number]

/** `pending` until the first attempt; `failed` when no attempt is left. */
export const callbackStatuses = ['pending', 'delivering', 'delivered', 'failed'] as const
export type CallbackStatus = typeof callbackStatuses[number]

/** Ids come from callers too, and the record refuses keys that it cannot store, such as a NUL. */
export function isJobId (text: string): boolean {
  return /^job_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}

export function isTerminal (record: JobRecord): boolean {
  return record.status === 'completed' || record.status === 'failed'
}

/** undefined: the data lies in the tenant's own store. */
export function storedInput ({ input }: Pick<JobRecord, 'input'>): StoredInput | undefined {
  return 'key' in input ? input : undefined
}

/** undefined: the data lies in our object store. */
export function connectedInput ({ input }: Pick<JobRecord, 'input'>): ConnectedInput | undefined {
  return 'connectionId' in input ? input : undefined
}
