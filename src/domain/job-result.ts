import type { JobWarning } from './engine-documents.ts'
import type { ConnectorCode } from './connector-codes.ts'
import type { ErrorCode } from './error-codes.ts'
import type { ExplainabilityOutcome, JobExplanation } from './explainability-spec.ts'
import type { ExternalCovariatesReport } from './external-covariates-spec.ts'
import type { ResultFile } from './files.ts'
import type { TrainingLoss } from './forecast-spec.ts'
import type { PreparationReport } from './preparation-spec.ts'
import type { ReconciliationSummary } from './reconciliation-summary.ts'
import type { TabularOutcome } from './tabular-spec.ts'

/** Of a result, encoded. A slot keeps to it; the worker adds little, and a worker of before may know no bound. */
export const maxResultBytes = 256 * 1024
/** Of a result that is read. */
export const maxReadResultBytes = 4 * maxResultBytes

/** The last object a run writes: `<outputPrefix><run>/result.cbor`. */
export interface JobResult {
  v: number
  jobId: string
  run: string
  code: ErrorCode | null
  error: string | null
  files: ResultFile[]
  /** Series of the dataset, without the aggregates of a hierarchy; null for a table. */
  numItems: number | null
  datasetHash: string | null
  /** Seconds by stage; a stage that did not run has no key. */
  timings: Record<string, number>
  warnings: JobWarning[]
  /** Only of a job that was asked to prepare its rows. */
  preparation?: PreparationReport
  /** Only of a forecast that was asked to use covariates from outside. */
  externalCovariates?: ExternalCovariatesReport
  /** Only of a job that was asked to reconcile. */
  reconciliation?: ReconciliationSummary
  /** Only of a job that trains a model, which is the file `model.bin`. */
  trained?: TrainedModel
  /** Only of a classification or regression. */
  tabular?: TabularOutcome
  /** Only of a job that was asked to explain its forecast. */
  explainability?: ExplainabilityOutcome
  /** Only of a forecast that could be put into words. */
  explanation?: JobExplanation
  /** Only of a job that reads a tenant's own store, when it could be read. */
  source?: SourceRead
  /** What is wrong with that store, or with what lies there. */
  connectorCode?: ConnectorCode
}

export type { JobWarning } from './engine-documents.ts'

/** What a run found in a tenant's own store. */
export interface SourceRead {
  uri: string
  bytes: number
  parts: number
}

/** What is known of a model that was trained, besides its file. */
export interface TrainedModel {
  /** Canonical alias. */
  freq: string
  /** The covariates that it uses, of those that were asked for. */
  covariates: string[]
  /** Names of the features that it makes. */
  features: string[]
  /** On the windows that were held back: of the model, and of its preset on the same series. */
  metrics: { candidate: ModelMetrics, baseline: ModelMetrics }
}

/** null: not defined, as the percentage error of zeros. */
export type ModelMetrics = Record<TrainingLoss, number | null>
