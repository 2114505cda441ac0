import type { ContentError } from '../domain/content-error.ts'
import type { DatasetInspection } from '../domain/dataset-inspection.ts'
import type { DatasetProfile } from '../domain/dataset-profile.ts'
import type { ConvertOptions, InspectOptions, PreviewOptions, ProfileDataOptions } from '../domain/engine-documents.ts'
import type { ErrorCode } from '../domain/error-codes.ts'
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
import type { TabularOutcome, TabularProfile, TabularSpec } from '../domain/tabular-spec.ts'
import type { JobMessage } from '../platform/queue/job-messages.ts'
import type { QuickCheckRequest } from '../platform/queue/quick-messages.ts'
import type { CovariateSpans } from '../sources/covariates/covariate-spans.ts'
import type { RelayedAnswer, RelayedQuestion } from '../sources/covariates/http/relayed-source.ts'
import type { CovariateSettings } from '../sources/covariates/provider-registry.ts'
import type { FetchedModel } from './check-model.ts'

/*
 * What crosses the pipe between the worker and one of its slots. Paths and figures only: rows stay in files, but for
 * the few of a preview.
 */

/** What a dataset is read from: files that are one table, in this order. */
interface TaskInput {
  inputPaths: string[]
  format: FileFormat
  compression: Compression | null
}

/** What a job is: reads its input, writes its files into `outputFolder`. */
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
  /** As the operator has it; a job that asks for one is told why there is none. */
  rollingRegressionAllowed: boolean
}

/**
 * Covariates from outside, for the steps and places of its input: asks the providers through the worker and writes
 * their values to `valuesPath`.
 */
export interface GatherTask extends JobTask {
  kind: 'gather'
  spec: ForecastSpec
  /** Who is asked; without keys. */
  covariates: CovariateSettings
  spans: CovariateSpans
  valuesPath: string
  /** After so many milliseconds providers that have not answered are given up. */
  patienceMs: number
}

/** A training writes the model. */
export interface FineTuneTask extends JobTask {
  kind: 'fine_tune'
  spec: ForecastSpec
}

/** A classification or regression. */
export interface TabularTask extends JobTask {
  kind: 'tabular'
  spec: TabularSpec
}

/** One content check: reads its input, and writes it prepared where the specification asks for that. */
export interface CheckTask extends TaskInput, Pick<QuickCheckRequest, 'spec' | 'limits' | 'depth'> {
  kind: 'check'
  threads: number
  /** Where the prepared input may lie. */
  preparedPath: string
  spans: CovariateSpans
  /** The fine-tuned model that shall make the forecast. */
  model?: FetchedModel
}

/** The first rows of a table: reads `inputPath`, which holds the first bytes of the object. */
export interface PreviewTask extends PreviewOptions {
  kind: 'preview'
}

/** What is in a file, and what a prompt wants forecast of it: reads its input and writes nothing. */
export interface ProfileTask extends ProfileDataOptions {
  kind: 'profile'
  prompt?: string
  asksModel?: boolean
  answer?: ModelAnswer
}

/** One inspection: reads its input and writes nothing. */
export interface InspectTask extends InspectOptions {
  kind: 'inspect'
}

/** A forecast table in another format: reads `parquetPath`, writes `path`. */
export interface ConvertTask extends ConvertOptions {
  kind: 'convert'
}

/** What a job's run computes. */
export type RunTask = ForecastTask | FineTuneTask | TabularTask
export type SlotTask = RunTask | GatherTask | CheckTask | PreviewTask | ProfileTask | InspectTask | ConvertTask

/** What a pipeline leaves behind when it ends well. */
export interface PipelineResult {
  files: ResultFile[]
  /** null: of a table. */
  numItems: number | null
  datasetHash: string
  /** Seconds by stage. */
  timings: Record<string, number>
  warnings: JobWarning[]
  /** Of a specification that asks for one. */
  preparation?: PreparationReport
  /** Of a specification that asks for covariates from outside. */
  externalCovariates?: ExternalCovariatesReport
  reconciliation?: ReconciliationSummary
  /** Of a training. */
  trained?: TrainedModel
  /** Of a classification or regression. */
  tabular?: TabularOutcome
  /** Of a forecast that was asked for analyses. */
  explainability?: ExplainabilityOutcome
  /** Of a forecast that could be put into words. */
  explanation?: JobExplanation
}

export interface CheckOutcome {
  profile: DatasetProfile | TabularProfile | null
  warnings: JobWarning[]
}

export interface TaskResults {
  forecast: PipelineResult
  fine_tune: PipelineResult
  tabular: PipelineResult
  gather: null
  check: CheckOutcome
  preview: TablePreview
  profile: PromptReading
  inspect: DatasetInspection
  convert: ResultFile
}

/** A task that ended in an error of its own; the slot lives on. */
export interface TaskFailure {
  code: ErrorCode
  message: string
  /** Set when the dataset is at fault. */
  content: ContentError | null
  /** What may be done about it, where the code does not say. */
  suggestion?: string
}

export type ToSlot =
  | { type: 'run', id: number, task: SlotTask }
  | { type: 'cancel', id: number }
  /** undefined: it cannot be handed over. */
  | { type: 'answer', ask: number, answer: RelayedAnswer | undefined }

export type FromSlot =
  | { type: 'ready' }
  | { type: 'progress', id: number, stage: string, fraction: number }
  /** A provider of covariates is to be asked. */
  | { type: 'ask', id: number, ask: number, question: RelayedQuestion }
  /** `cpuMs`: milliseconds of a core that the task has used, all threads of the process together. */
  | { type: 'done', id: number, cpuMs: number, result: TaskResults[SlotTask['kind']] }
  | { type: 'failed', id: number, cpuMs: number, failure: TaskFailure }
  | { type: 'cancelled', id: number, cpuMs: number }
