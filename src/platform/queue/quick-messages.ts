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

/** What a worker used to answer; absent where nothing was computed, and of a worker of before. */
interface Used {
  /** Milliseconds of a core, all threads together. */
  cpuMs?: number
}

/** Core request `quick.check` (queue group `quick`): read the stored input and say what is wrong with it. */
export interface QuickCheckRequest {
  v: number
  /** Whose turn it takes, here and in the next ones; absent of an api of before. */
  tenant?: string
  input: StoredFile
  /** Of `spec.modelId`. */
  model?: ModelFile
  spec: JobSpec
  limits: TableLimits & OutputLimits
  /** `header`: only that the file is what it says and has the columns; rows are read by the job itself. */
  depth: 'full' | 'header'
}

export type QuickCheckReply = Used & (
  | { v: number, ok: true, profile: DatasetProfile | TabularProfile | null, warnings: JobWarning[] }
  | { v: number, ok: false, error: ContentError }
  | { v: number, ok: false, busy: true }
  /**
   * The worker could not do the check at all (store away, slot died twice, slot held up, the model's file gone or
   * damaged); `message` where it knows more than the code says.
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

/**
 * Core request `quick.profile` (queue group `quick`): read a stored file that nobody has said anything about, and say
 * what is in it.
 */
export interface QuickProfileRequest {
  v: number
  tenant?: string
  input: StoredFile & { compression?: Compression }
  /** Columns whose roles are known; the others are found. */
  columns?: KnownColumns
  /** Absent: nothing is read but the file. */
  prompt?: string
  /** A language model may be asked: the reply says what. */
  asksModel?: boolean
  /** What it said; the intent is filled with it. */
  answer?: ModelAnswer
  limits: TableLimits
}

export type QuickProfileReply = Used & (
  | { v: number, ok: true } & PromptReading
  | { v: number, ok: false, error: ContentError }
  | { v: number, ok: false, busy: true }
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'compute_unavailable' }
)

/**
 * Core request `quick.convert` (queue group `quick`): make the CSV of a forecast table that was stored as Parquet only.
 */
export interface QuickConvertRequest {
  v: number
  parquetKey: string
  /** Where the CSV goes. Repeating a request writes the same bytes again. */
  csvKey: string
  /** About how many bytes both files have; absent of an api of before. */
  roomBytes?: number
  /** Time that this may take, waiting included, milliseconds. */
  budgetMs: number
}

export type QuickConvertReply =
  | { v: number, ok: true, file: ResultFile }
  | { v: number, ok: false, busy: true }
  /** `dataset_too_large`: it takes more of a worker's disk than its tenant may ever have. */
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'dataset_too_large' }

/** Core request `quick.connector` (queue group `quick`): do something with a customer's store while a client waits. */
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
  /** The file itself when it has the format, else the Parquet table that it is made from. */
  source: { key: string, fileFormat: OutputFormat }
  fileFormat: OutputFormat
  /** From the bucket's root. */
  key: string
  allowOverwrite: boolean
  /** What the table takes on the disk of the worker; absent of an api of before, and where nobody has counted it. */
  roomBytes?: number
  /** Time that this may take, waiting included, milliseconds. */
  budgetMs: number
}

export type QuickDeliverReply =
  | { v: number, ok: true, uri: string, bytes: number }
  | { v: number, ok: false, busy: true }
  | { v: number, ok: false, error: ConnectorCode }
  /**
   * Nothing was sent: our own store or a process of ours failed, or the worker's disk has not so much free, whoever
   * else has some of it.
   */
  | { v: number, ok: false, failed: 'storage_error' | 'pipeline_failed' | 'no_room' }
