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

/**
 * The size limit of an encoded result. A slot keeps to it; the worker adds a little, and a worker of an earlier release
 * may know no limit.
 */
export const maxResultBytes = 256 * 1024
/** The largest result that is read. */
export const maxReadResultBytes = 4 * maxResultBytes

/** The last object that a run writes: `<outputPrefix><run>/result.cbor`. */
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
  /** Set if the job prepares its rows. */
  preparation?: PreparationReport
  /** Set if the job uses covariates from outside. */
  externalCovariates?: ExternalCovariatesReport
  /** Set if the job reconciles a hierarchy. */
  reconciliation?: ReconciliationSummary
  /** Set if the job trains a model; the model is the file `model.bin`. */
  trained?: TrainedModel
  /** Set for a classification or regression. */
  tabular?: TabularOutcome
  /** Set if the job asks for analyses. */
  explainability?: ExplainabilityOutcome
  /** Set if the forecast could be explained. */
  explanation?: JobExplanation
  /** Set if the job read a tenant's own store. */
  source?: SourceRead
  /** What is wrong with that store, or with the data in it. */
  connectorCode?: ConnectorCode
}

export type { JobWarning } from './engine-documents.ts'

/** What a run found in a tenant's own store. */
export interface SourceRead {
  uri: string
  bytes: number
  parts: number
}

/** Facts about a trained model, besides its file. */
export interface TrainedModel {
  /** Canonical alias. */
  freq: string
  /** The requested covariates that the model uses. */
  covariates: string[]
  /** Names of the features that it makes. */
  features: string[]
  /** Scores on the held-back windows: of the model, and of its preset on the same series. */
  metrics: { candidate: ModelMetrics, baseline: ModelMetrics }
}

/** null: not defined, such as the percentage error of zeros. */
export type ModelMetrics = Record<TrainingLoss, number | null>
