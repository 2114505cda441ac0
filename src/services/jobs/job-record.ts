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

/** The recorded type of a job. To a worker, a sandbox job is like any other. */
export type RecordedJobType = JobType | 'sandbox_forecast' | 'sandbox_classification' | 'sandbox_regression'

/** Code of warnings about the request. Warnings about the data come from the check, and later from the run. */
export const requestNote = 'agent_note'

/**
 * The record of one job, in LMDB under [tenant, jobId]; everything else is derived from it. Job ids are ULIDs, so the
 * keys of a tenant are in order of creation. Times are milliseconds since 1970, UTC.
 */
export interface JobRecord {
  v: 1
  jobId: string
  tenant: string
  /** The id of the API key that created the job. */
  keyId: string
  requestId: string
  /** Of the request that created the job; absent when it had none. */
  traceparent?: string
  jobType: RecordedJobType
  status: JobStatus
  size: JobSize
  createdAtMs: number
  startedAtMs: number | null
  completedAtMs: number | null
  /** Set at the end of the job, when retention begins. */
  expiresAtMs: number | null
  name: string | null
  metadata: Record<string, unknown> | null
  /** A `TabularSpec` for `classification` and `regression`. */
  spec: JobSpec
  configHash: string
  input: StoredInput | ConnectedInput
  /** The file of `spec.modelId` when the job was accepted. Its bytes stay until the job ends. */
  model?: ModelFile
  /** From the content check before the 202; null for inputs above its size limit. */
  profile: DatasetProfile | TabularProfile | null
  /** Raised for each dispatch; part of the queue's message id. */
  dispatch: number
  /** Sequence of the newest message in the JOBS stream; null while the job waits in the outbox. */
  streamSequence: number | null
  /** The number of granted runs. */
  attempt: number
  /** The newest granted run. */
  run: string | null
  slotDeaths: number
  /** Workers that died or fell silent during a run; those that gave it back do not count. */
  lostWorkers: number
  /** The newest run that its worker gave back unfinished, or was told to stop. */
  givenBack?: string
  /** The newest run that was stopped because its slot was needed. */
  stopped?: string
  /** How often runs of a sandbox job were stopped for jobs of tenants. */
  preemptions?: number
  /** How many runs were given back because their worker could not run anything. */
  troubles?: number
  /** How many runs computed a result that found no space on the disk. */
  inVain?: number
  /** How many runs stored a result that the object store then did not have. */
  lostResults?: number
  /** The run whose outputs are the job's outputs. */
  winner: string | null
  files: ResultFile[]
  numItems: number | null
  datasetHash: string | null
  /** null for a training that has not completed. */
  modelVersion: string | null
  timings: Record<string, number> | null
  warnings: JobWarning[]
  /** Absent: no preparation was requested, or the job has not completed. */
  preparation?: PreparationReport
  /** Absent: none were requested, or the job has not completed. */
  externalCovariates?: ExternalCovariatesReport
  /** Absent: none was requested, or the job has not completed. */
  reconciliation?: ReconciliationSummary
  /** Absent: the job is no training, or has not completed. */
  trained?: TrainedModel
  /** Absent: the job is no classification or regression, or has not completed. */
  tabular?: TabularOutcome
  /** Absent: no analyses were requested, or the job has not completed. */
  explainability?: ExplainabilityOutcome
  /** Absent: the job is no forecast, could not be explained, or has not completed. */
  explanation?: JobExplanation
  error: string | null
  errorCode: ErrorCode | null
  /** The fault of the tenant's own store; absent: none. */
  connectorCode?: ConnectorCode
  /** Where the end of the job is announced; absent: nowhere. */
  callback?: { url: string, status: CallbackStatus }
  /** Absent: the result is not delivered. */
  delivery?: JobDelivery
  /** Absent: the job is not part of a batch. */
  batch?: { batchId: string, customId: string | null }
  /** Absent: the job belongs to a tenant. */
  sandbox?: SandboxOrigin
}

/** `claim`: the HMAC, as hex, of the domain whose sandbox job this is. */
export interface SandboxOrigin {
  claim: string
}

/**
 * A file in our object store. `objectId`: a stored object of the tenant, which outlives the job and has no known hash.
 */
export interface StoredInput {
  key: string
  format: FileFormat
  bytes: number
  sha256: string | null
  objectId?: string
}

/** A source in the tenant's own store, which the job reads. `read`: what the last run found there. */
export interface ConnectedInput {
  connectionId: string
  read?: SourceRead
}

/** The delivery of the table to a customer's store. */
export interface JobDelivery {
  connectionId: string
  /** May contain `{job_id}` and `{date}`. */
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

/** Callers send ids too, and LMDB refuses keys that it cannot store, such as a NUL. */
export function isJobId (text: string): boolean {
  return /^job_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)
}

export function isTerminal (record: JobRecord): boolean {
  return record.status === 'completed' || record.status === 'failed'
}

/** undefined when the data is in the tenant's own store. */
export function storedInput ({ input }: Pick<JobRecord, 'input'>): StoredInput | undefined {
  return 'key' in input ? input : undefined
}

/** undefined when the data is in our object store. */
export function connectedInput ({ input }: Pick<JobRecord, 'input'>): ConnectedInput | undefined {
  return 'connectionId' in input ? input : undefined
}
