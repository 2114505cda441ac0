import type { DatasetColumns, FeatureEngineeringSpec, Preset, QuantileColumnStyle, ReconciliationSpec, TimestampFormat,
  TrainingLoss } from './engine-documents.ts'
import type { ExplainabilitySpec } from './explainability-spec.ts'
import type { ExternalCovariatesSpec } from './external-covariates-spec.ts'
import type { PreparationSpec } from './preparation-spec.ts'

export type { DatasetColumns, FeatureEngineeringSpec, HierarchyColumns, Preset, ReconciliationMethod,
  ReconciliationSpec, ReconciliationWeights, RollingStat, TopDownMethod, TrainingLoss } from './engine-documents.ts'

/** How a model is trained from the dataset. */
export interface TrainingSpec {
  /** What it is measured by. */
  loss: TrainingLoss
  /** Ends of the histories that are held back, one after the other, to measure it. */
  validationWindows: number
  /** null: the deployment's time budget. */
  maxRuntimeSeconds: number | null
}

/**
 * A forecast, or the training of a model for forecasts, with every default resolved: what is hashed, dispatched and
 * shown as `effective_config`.
 */
export interface ForecastSpec {
  predictionLength: number
  /** With `modelId`: the one that the model was trained on. */
  preset: Preset
  /** The tenant's own model that makes the forecast; absent: those of the preset do. */
  modelId?: string
  /** Absent: a forecast is made. */
  training?: TrainingSpec
  columns: DatasetColumns
  /** Canonical frequency alias, or null to infer it. */
  freq: string | null
  /** Ascending, each 0 < q < 1. */
  quantileLevels: number[]
  timestampFormat: TimestampFormat
  quantileColumnStyle: QuantileColumnStyle
  /** Which sheet of a spreadsheet; absent: the first. */
  sheetName?: string
  /** Absent: rows are used as they are. */
  preparation?: PreparationSpec
  /** Covariates that are not in the dataset, a kind each, in the order of the kinds. Absent: none. */
  externalCovariates?: ExternalCovariatesSpec[]
  /** Absent: series are forecast each on its own, and no aggregates. */
  reconciliation?: ReconciliationSpec
  /** Absent: models make the features that they choose themselves. */
  featureEngineering?: FeatureEngineeringSpec
  /** Absent: the forecast is not analysed. */
  explainability?: ExplainabilitySpec
}
