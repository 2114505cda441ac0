import type { DatasetColumns, FeatureEngineeringSpec, Preset, QuantileColumnStyle, ReconciliationSpec, TimestampFormat,
  TrainingLoss } from './engine-documents.ts'
import type { ExplainabilitySpec } from './explainability-spec.ts'
import type { ExternalCovariatesSpec } from './external-covariates-spec.ts'
import type { PreparationSpec } from './preparation-spec.ts'

export type { DatasetColumns, FeatureEngineeringSpec, HierarchyColumns, Preset, ReconciliationMethod,
  ReconciliationSpec, ReconciliationWeights, RollingStat, TopDownMethod, TrainingLoss } from './engine-documents.ts'

/** How a model is trained on the dataset. */
export interface TrainingSpec {
  /** The loss that the training minimises. */
  loss: TrainingLoss
  /** How many windows at the ends of the histories are held back, one after the other, to measure the model. */
  validationWindows: number
  /** null: the deployment's time budget. */
  maxRuntimeSeconds: number | null
}

/**
 * A forecast, or the training of a model for forecasts, with every default resolved. It is hashed, dispatched, and
 * shown as `effective_config`.
 */
export interface ForecastSpec {
  predictionLength: number
  /** With `modelId`: the preset that the model was trained on. */
  preset: Preset
  /** The tenant's own model, which makes the forecast; absent: the models of the preset do. */
  modelId?: string
  /** Absent: the job makes a forecast. */
  training?: TrainingSpec
  columns: DatasetColumns
  /** Canonical frequency alias; null: the frequency is inferred. */
  freq: string | null
  /** Ascending, each 0 < q < 1. */
  quantileLevels: number[]
  timestampFormat: TimestampFormat
  quantileColumnStyle: QuantileColumnStyle
  /** The sheet of a spreadsheet; absent: the first. */
  sheetName?: string
  /** Absent: rows are used as they are. */
  preparation?: PreparationSpec
  /** Covariates that are not in the dataset, one entry per kind, in the order of `covariateKinds`. Absent: none. */
  externalCovariates?: ExternalCovariatesSpec[]
  /** Absent: each series is forecast on its own, without aggregates. */
  reconciliation?: ReconciliationSpec
  /** Absent: each model chooses its own features. */
  featureEngineering?: FeatureEngineeringSpec
  /** Absent: the forecast is not analysed. */
  explainability?: ExplainabilitySpec
}
