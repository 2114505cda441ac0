import type { ErrorCode } from '../errors.ts'
import type {
  Compression, ContentError, DatasetProfile, FileFormat, JobMessage, JobWarning, QuickCheckRequest, ResultFile
} from '../queue/messages.ts'

/*
 * What crosses the pipe between the worker and one of its slots. Paths and figures only: rows stay in files.
 */

/** What a dataset is read from: files that are one table, in this order. */
interface TaskInput {
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
}

/** One forecast: reads its input, writes its files into `outputFolder`. */
export interface ForecastTask extends TaskInput, Pick<JobMessage, 'spec' | 'limits'> {
  kind: 'forecast'
  outputFolder: string
  threads: number
  /** What is left of the job's time budget. */
  budgetSeconds: number
}

/** One content check: reads its input and writes nothing. */
export interface CheckTask extends TaskInput, Pick<QuickCheckRequest, 'spec' | 'limits' | 'depth'> {
  kind: 'check'
  threads: number
}

/** The CSV of a forecast table: reads `parquetPath`, writes `csvPath`. */
export interface ConvertTask {
  kind: 'convert'
  parquetPath: string
  csvPath: string
}

export type SlotTask = ForecastTask | CheckTask | ConvertTask

/** What a pipeline leaves behind when it ends well. */
export interface PipelineResult {
  files: ResultFile[]
  numItems: number
  datasetHash: string
  /** Seconds by stage. */
  timings: Record<string, number>
  warnings: JobWarning[]
}

export interface CheckOutcome {
  profile: DatasetProfile | null
  warnings: JobWarning[]
}

export interface TaskResults {
  forecast: PipelineResult
  check: CheckOutcome
  convert: ResultFile
}

/** A task that ended in an error of its own; the slot lives on. */
export interface TaskFailure {
  code: ErrorCode
  message: string
  /** Set when the dataset is at fault. */
  content: ContentError | null
}

export type ToSlot =
  | { type: 'run', id: number, task: SlotTask }
  | { type: 'cancel', id: number }

export type FromSlot =
  | { type: 'ready' }
  | { type: 'progress', id: number, stage: string, fraction: number }
  | { type: 'done', id: number, result: TaskResults[SlotTask['kind']] }
  | { type: 'failed', id: number, failure: TaskFailure }
  | { type: 'cancelled', id: number }
