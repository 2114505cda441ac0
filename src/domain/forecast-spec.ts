import type { ExplainabilitySpec } from './explainability-spec.ts'
import type { ExternalCovariatesSpec } from './external-covariates-spec.ts'
import type { PreparationSpec } from './preparation-spec.ts'

export type Preset = 'fast' | 'balanced' | 'best'

/** Which columns of the input play which role. */
export interface DatasetColumns {
  itemId: string
  timestamp: string
  target: string
  /** What may explain the target and is known for the steps that are forecast; absent: nothing. */
  covariates?: string[]
}

/** Columns of the input that name the groups of a series, from the top of the hierarchy to its bottom. */
export interface HierarchyColumns {
  /** Not empty. */
  columns: string[]
  separator: string
  totalLabel: string
}

export type ReconciliationMethod = 'bottom_up' | 'top_down' | 'min_trace'
export type ReconciliationWeights = 'ols' | 'wls_struct' | 'wls_var' | 'shrink'
export type TopDownMethod = 'proportions_of_historical_totals' | 'average_historical_proportions'
  | 'forecast_proportions'

/**
 * How forecasts are made to add up over a hierarchy. What `method` does not use has its default, so that equal jobs
 * have equal hashes.
 */
export interface ReconciliationSpec {
  /** From the top to the bottom; empty: item ids are split at the separator. */
  hierarchyColumns: string[]
  method: ReconciliationMethod
  weights: ReconciliationWeights
  topDownMethod: TopDownMethod
  separator: string
  /** Item id of the grand total. */
  totalLabel: string
  /** Backtests from which `wls_var` and `shrink` estimate their weights. */
  residualWindows: number
}

export type RollingStat = 'mean' | 'std' | 'min' | 'max'

/**
 * Features that are made from the dataset before models are fitted. Lists ascend and hold each entry once; one that is
 * switched off has its default, so that equal jobs have equal hashes.
 */
export interface FeatureEngineeringSpec {
  timeFeatures: boolean
  cyclicalEncoding: boolean
  lagFeatures: boolean
  lagPeriods: number[]
  rollingFeatures: boolean
  rollingWindows: number[]
  rollingStats: RollingStat[]
  growthFeatures: boolean
  growthPeriods: number[]
  eventFlags: boolean
}

export type TrainingLoss = 'mae' | 'mse' | 'rmse' | 'mape' | 'smape' | 'wql'

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
  timestampFormat: 'pandas' | 'iso8601'
  quantileColumnStyle: 'raw' | 'prefixed'
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
