import type { ConnectionDataset, ConnectionInput } from '../../domain/connection.ts'
import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { ConnectorResults } from '../../domain/connector-results.ts'
import type { ContentError } from '../../domain/content-error.ts'
import type { DatasetProfile } from '../../domain/dataset-profile.ts'
import type { Compression, ModelFile, OutputFormat, ResultFile, StoredFile } from '../../domain/files.ts'
import type { JobWarning } from '../../domain/job-result.ts'
import type { JobSpec } from '../../domain/job.ts'
import type { OutputLimits, TableLimits } from '../../domain/limits.ts'
import type { ModelAnswer } from '../../domain/model-question.ts'
import type { KnownColumns, PromptReading } from '../../domain/prompt-reading.ts'
import type { TablePreview } from '../../domain/table-preview.ts'
import type { TabularProfile } from '../../domain/tabular-spec.ts'

/**
 * The processor time behind a worker's answer; absent if nothing was computed, or if the worker is of an earlier
 * release.
 */
interface Used {
  /** Processor time in milliseconds, all threads together. */
  cpuMs?: number
}

/** Core request `quick.check` (queue group `quick`): read the stored input and say what is wrong with it. */
export interface QuickCheckRequest {
  v: number
  /** The tenant whose turn it takes, here and in the requests below; absent if the api is of an earlier release. */
  tenant?: string
  input: StoredFile
  /** The model that `spec.modelId` names. */
  model?: ModelFile
  spec: JobSpec
  limits: TableLimits & OutputLimits
  /** `header`: checks only that the file is what it claims to be and has the columns; the job itself reads the rows. */
  depth: 'full' | 'header'
  /** The check is stopped when it has taken this many milliseconds of a core. Workers of earlier releases go on. */
  mostMs?: number
}

export type QuickCheckReply = Used & (
  | { v: number, ok: true, profile: DatasetProfile | TabularProfile | null, warnings: JobWarning[] }
  | { v: number, ok: false, error: ContentError }
  | { v: number, ok: false, busy: true }
  /** It took more than `mostMs`. */
  | { v: number, ok: false, stopped: true }
  /**
   * The worker could not make the check at all: the store was away, the slot died twice or was held up, or the model's
   * file is gone or damaged. `message` is set if it says more than the code.
   */
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'compute_unavailable', message?: string,
    suggestion?: string }
)

/** Core request `quick.preview` (queue group `quick`): read the beginning of a stored CSV file. */
export interface QuickPreviewRequest {
  v: number
  tenant?: string
  input: { key: string, bytes: number }
  maxBytes: number
  maxRows: number
}

export type QuickPreviewReply = Used & (
  | { v: number, ok: true, preview: TablePreview }
  | { v: number, ok: false, error: ContentError }
  | { v: number, ok: false, busy: true }
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'compute_unavailable' }
)

/** Core request `quick.profile` (queue group `quick`): describe a stored file about which nothing is known. */
export interface QuickProfileRequest {
  v: number
  tenant?: string
  input: StoredFile & { compression?: Compression }
  /** Columns whose roles are known; the others are inferred. */
  columns?: KnownColumns
  /** Absent: only the file is read. */
  prompt?: string
  /** A language model may be asked; the reply has the question. */
  asksModel?: boolean
  /** The language model's answer, which fills the intent. */
  answer?: ModelAnswer
  limits: TableLimits
  /** As in a check. */
  mostMs?: number
}

export type QuickProfileReply = Used & (
  | { v: number, ok: true } & PromptReading
  | { v: number, ok: false, error: ContentError }
  | { v: number, ok: false, busy: true }
  /** It took more than `mostMs`. */
  | { v: number, ok: false, stopped: true }
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'compute_unavailable' }
)

/**
 * Core request `quick.convert` (queue group `quick`): make the CSV of a forecast table that was stored as Parquet only.
 */
export interface QuickConvertRequest {
  v: number
  parquetKey: string
  /** The key of the CSV. Repeating a request writes the same bytes again. */
  csvKey: string
  /** Estimated size of both files together; absent if the api is of an earlier release. */
  roomBytes?: number
  /** Time limit in milliseconds, waiting included. */
  budgetMs: number
}

export type QuickConvertReply =
  | { v: number, ok: true, file: ResultFile }
  | { v: number, ok: false, busy: true }
  /** `dataset_too_large`: the files need more of a worker's disk than the tenant may ever have. */
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'dataset_too_large' }

/** Core request `quick.connector` (queue group `quick`): an operation on a customer's store while a client waits. */
export type QuickConnectorRequest = { v: number,
  connection: ConnectionInput, /** Time that it may take, milliseconds. */ budgetMs: number } & (
    | { operation: 'test' }
    | { operation: 'list', limit: number, /** Keys behind this one; empty: from the start. */ startAfter: string }
    | { operation: 'validate', dataset: ConnectionDataset, limits: TableLimits }
  )

export type QuickConnectorReply = Used & (
  | { v: number, ok: true, result: ConnectorResults[keyof ConnectorResults] }
  | { v: number, ok: false, error: ConnectorCode }
  | { v: number, ok: false, busy: true }
)

/**
 * Core request `quick.deliver` (queue group `quick`): write a forecast table to a customer's store. Repeating it writes
 * nothing twice.
 */
export interface QuickDeliverRequest {
  v: number
  jobId: string
  connection: ConnectionInput
  /** The file itself if it has the right format, else the Parquet table that it is made from. */
  source: { key: string, fileFormat: OutputFormat }
  fileFormat: OutputFormat
  /** The full key, from the bucket's root. */
  key: string
  allowOverwrite: boolean
  /** The table's size on the worker's disk; absent if the api is of an earlier release, or if it was not counted. */
  roomBytes?: number
  /** Time limit in milliseconds, waiting included. */
  budgetMs: number
}

export type QuickDeliverReply =
  | { v: number, ok: true, uri: string, bytes: number }
  | { v: number, ok: false, busy: true }
  | { v: number, ok: false, error: ConnectorCode }
  /**
   * Nothing was sent: our own store or process failed, or the worker's disk has too little free, even if nobody else
   * held any of it.
   */
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'no_room' }
