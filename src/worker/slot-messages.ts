import type { DatasetInspection } from '../domain/dataset-inspection.ts'
import type { DatasetProfile } from '../domain/dataset-profile.ts'
import type { ConvertOptions, InspectOptions, PreviewOptions, ProfileDataOptions } from '../domain/engine-documents.ts'
import type { ExplainabilityOutcome, JobExplanation } from '../domain/explainability-spec.ts'
import type { ExternalCovariatesReport } from '../domain/external-covariates-spec.ts'
import type { Compression, FileFormat, ResultFile } from '../domain/files.ts'
import type { ForecastSpec } from '../domain/forecast-spec.ts'
import type { JobWarning, TrainedModel } from '../domain/job-result.ts'
import type { ModelAnswer } from '../domain/model-question.ts'
import type { PreparationReport } from '../domain/preparation-spec.ts'
import type { PromptReading } from '../domain/prompt-reading.ts'
import type { ReconciliationSummary } from '../domain/reconciliation-summary.ts'
import type { TablePreview } from '../domain/table-preview.ts'
import type { TaskFailure } from '../domain/task-failure.ts'
import type { TabularOutcome, TabularProfile, TabularSpec } from '../domain/tabular-spec.ts'
import type { JobMessage } from '../platform/queue/job-messages.ts'
import type { QuickCheckRequest } from '../platform/queue/quick-messages.ts'
import type { CovariateSpans } from '../sources/covariates/covariate-spans.ts'
import type { RelayedAnswer, RelayedQuestion } from '../sources/covariates/http/relayed-source.ts'
import type { CovariateSettings } from '../sources/covariates/provider-registry.ts'
import type { FetchedModel } from './check-model.ts'

/*
 * Messages between the worker and one of its slots. They carry paths and figures only: rows stay in files, except the
 * few of a preview.
 */

/** A dataset: files that form one table, in this order. */
interface TaskInput {
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
}

/** The task of a job: reads the input and writes its files into `outputFolder`. */
interface JobTask extends TaskInput, Pick<JobMessage, 'limits'> {
  outputFolder: string
  threads: number
  /** What is left of the job's time budget. */
  budgetSeconds: number
}

export interface ForecastTask extends JobTask, Pick<JobMessage, 'configHash' | 'modelVersion'> {
  kind: 'forecast'
  spec: ForecastSpec
  /** The fine-tuned model that makes the forecast. */
  model?: FetchedModel
  /** The file of covariates from outside. */
  valuesPath?: string
  /** The operator's setting. If it is false, a job that asks for a rolling regression is told so. */
  rollingRegressionAllowed: boolean
  /** How large a shard is; absent: as the engine decides. */
  shardSeconds?: number
}

/** Plans a forecast in shards, into an empty folder; forecasts at once if there is a single shard. */
export interface PlanTask extends Omit<ForecastTask, 'kind'> {
  kind: 'plan'
  planFolder: string
}

/** Forecasts a shard into an existing folder. */
export interface ShardTask {
  kind: 'shard'
  planPath: string
  seriesPath: string
  folder: string
  maxCsvBytes: number
  model?: FetchedModel
  threads: number
  budgetSeconds: number
}

/** Puts the parts of all shards together; its input is not read. */
export interface JoinTask extends Omit<ForecastTask, 'kind'> {
  kind: 'join'
  planPath: string
  explainedPath: string
  /** In the order of the shards. */
  parts: Part[]
  /** How long it took until all parts were there. */
  partsSeconds: number
  known: ForecastFacts
}

/** A shard that is done. */
export interface Part extends ShardOutcome {
  folder: string
}

/** What is known of a forecast before its series are forecast. */
export interface ForecastFacts {
  /** The preparation of the input. */
  prepared: { report?: PreparationReport, warnings: JobWarning[], seconds: number }
  /** Covariates from outside. */
  external?: { report: ExternalCovariatesReport, warnings: JobWarning[] }
}

/**
 * Gets covariates from outside for the periods and locations of its input: asks the providers through the worker and
 * writes the values to `valuesPath`.
 */
export interface GatherTask extends JobTask {
  kind: 'gather'
  spec: ForecastSpec
  /** The providers to ask, without their API keys. */
  covariates: CovariateSettings
  spans: CovariateSpans
  valuesPath: string
  /** Providers that have not answered after this time are given up. */
  patienceMs: number
}

/** A fine-tuning: writes the model. */
export interface FineTuneTask extends JobTask {
  kind: 'fine_tune'
  spec: ForecastSpec
}

export interface TabularTask extends JobTask {
  kind: 'tabular'
  spec: TabularSpec
}

/** One content check: reads the input, and writes it prepared if the specification asks for that. */
export interface CheckTask extends TaskInput, Pick<QuickCheckRequest, 'spec' | 'limits' | 'depth'> {
  kind: 'check'
  threads: number
  /** Where to write the prepared input. */
  preparedPath: string
  spans: CovariateSpans
  /** The fine-tuned model that is to make the forecast. */
  model?: FetchedModel
}

/** The first rows of a table: reads `inputPath`, which holds the first bytes of the object. */
export interface PreviewTask extends PreviewOptions {
  kind: 'preview'
}

/** The profile of a file, and the intent of a prompt: reads the input and writes nothing. */
export interface ProfileTask extends ProfileDataOptions {
  kind: 'profile'
  prompt?: string
  asksModel?: boolean
  answer?: ModelAnswer
}

/** One inspection: reads the input and writes nothing. */
export interface InspectTask extends InspectOptions {
  kind: 'inspect'
}

/** A forecast table in another format: reads `parquetPath`, writes `path`. */
export interface ConvertTask extends ConvertOptions {
  kind: 'convert'
}

/** The task of a job's run. */
export type RunTask = ForecastTask | FineTuneTask | TabularTask
/** The further tasks of a forecast in shards. */
export type StageTask = PlanTask | ShardTask | JoinTask
export type SlotTask = RunTask | StageTask | GatherTask | CheckTask | PreviewTask | ProfileTask | InspectTask
  | ConvertTask

/** The result of a pipeline that succeeded. */
export interface PipelineResult {
  files: ResultFile[]
  /** null for a table. */
  numItems: number | null
  datasetHash: string
  /** Seconds by stage. */
  timings: Record<string, number>
  warnings: JobWarning[]
  /** Set if the specification asks for a preparation. */
  preparation?: PreparationReport
  /** Set if the specification asks for covariates from outside. */
  externalCovariates?: ExternalCovariatesReport
  reconciliation?: ReconciliationSummary
  /** Set for a fine-tuning. */
  trained?: TrainedModel
  /** Set for a classification or regression. */
  tabular?: TabularOutcome
  /** Set if the job asks for analyses. */
  explainability?: ExplainabilityOutcome
  /** Set if the forecast could be explained. */
  explanation?: JobExplanation
}

export type PlanOutcome =
  /** The series were a single shard. */
  | { shards: 1, result: PipelineResult }
  | { shards: number, known: ForecastFacts, sha256: string }

export interface ShardOutcome {
  files: ResultFile[]
  /** Seconds by stage. */
  timings: Record<string, number>
}

/** `bad`: the shards whose files are not what they should be. */
export type JoinOutcome = { result: PipelineResult } | { bad: number[] }

export interface CheckOutcome {
  profile: DatasetProfile | TabularProfile | null
  warnings: JobWarning[]
}

export interface TaskResults {
  forecast: PipelineResult
  plan: PlanOutcome
  shard: ShardOutcome
  join: JoinOutcome
  fine_tune: PipelineResult
  tabular: PipelineResult
  gather: null
  check: CheckOutcome
  preview: TablePreview
  profile: PromptReading
  inspect: DatasetInspection
  convert: ResultFile
}

export type ToSlot =
  | { type: 'run', id: number, task: SlotTask }
  | { type: 'cancel', id: number }
  /** undefined: the answer cannot be handed over. */
  | { type: 'answer', ask: number, answer: RelayedAnswer | undefined }

export type FromSlot =
  | { type: 'ready' }
  | { type: 'progress', id: number, stage: string, fraction: number }
  /** Asks the worker to query a provider of covariates. */
  | { type: 'ask', id: number, ask: number, question: RelayedQuestion }
  /** `cpuMs`: processor time of the task in milliseconds, all threads of the process together. */
  | { type: 'done', id: number, cpuMs: number, result: TaskResults[SlotTask['kind']] }
  | { type: 'failed', id: number, cpuMs: number, failure: TaskFailure }
  | { type: 'cancelled', id: number, cpuMs: number }
