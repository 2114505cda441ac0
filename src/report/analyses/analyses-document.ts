/** A number from the engine; null in JSON if there is none. */
export type Figure = number | null

/** The analyses, in the order in which they are shown. */
export const analysisNames = [
  'forecast_plot',
  'feature_importance',
  'shap',
  'feature_target_correlations',
  'feature_feature_correlations',
  'rolling_regression'
] as const
export type AnalysisName = typeof analysisNames[number]

export interface Fidelity {
  /**
   * The share of the explained variance that the surrogate reproduces on held-out origins, or on held-out rows of a
   * table.
   */
  r2: Figure
  label: 'high' | 'moderate' | 'low'
  nrmse: Figure
  series_above: Figure
  /** The same against actual values; null: not measured. */
  accuracy_r2: Figure
}

export interface FeatureImportance {
  feature: string
  /** Mean size of its contributions, in units of the target, or of a probability. */
  importance: Figure
  /** Its share among all features, from 0 to 1. */
  share: Figure
  rank: number
  direction: 'rising' | 'falling' | null
  permutation_drop: Figure
  permutation_sd: Figure
}

export interface Importance {
  method: string
  rows: number
  explained_rows: number
  max_additivity_error: Figure
  fidelity: Fidelity | null
  left_out: string[]
  /** By rank. */
  features: FeatureImportance[]
  /** Columns that belong together, merged; by rank. */
  groups: FeatureImportance[]
}

export interface ShapSummary {
  feature: string
  mean_abs: Figure
  mean: Figure
  sd: Figure
  p05: Figure
  p25: Figure
  p50: Figure
  p75: Figure
  p95: Figure
}

/**
 * Contributions of a feature in some rows, and the rank of its value among all rows, from 0 to 1; null: the value is
 * missing, or is a category.
 */
export interface ShapPoints {
  feature: string
  values: Figure[]
  positions: Figure[]
}

/** A step of a series, or a row of the uploaded file, counted from 0. */
export type RowName = { item_id: string, timestamp: string, step: number } | { row_index: number }

export type DetailedRow = RowName & {
  told: 'highest' | 'lowest' | 'largest_error'
  base: Figure
  /** The model's prediction, and the surrogate's. */
  prediction: Figure
  reproduced: Figure
  contributions: Array<{ feature: string, value: Figure | string, shap: Figure }>
  /** The contributions of all other features together. */
  others: Figure
}

export interface Shap {
  features: string[]
  summary: ShapSummary[]
  points: ShapPoints[]
  detailed: DetailedRow[]
}

export type Method = 'pearson' | 'spearman' | 'cramers_v' | 'correlation_ratio'
export type Transform = 'levels' | 'differences' | 'seasonal_differences'

export interface FeatureTargetRow {
  feature: string
  transform: Transform
  method: Method
  value: Figure
  abs_value: Figure
  n: number
  p_value: Figure
  p_adjusted: Figure
  /** The feature leads the target by this many rows. */
  best_lag: Figure
  value_at_best_lag: Figure
}

export interface FeaturePair {
  a: number
  b: number
  method: Method
  value: Figure
  n: number
  p_value: Figure
  redundant: boolean
}

export interface FeatureFeature {
  features: string[]
  /** Indices into `features`, in the order of a heat map. */
  order: number[]
  pairs: FeaturePair[]
  constant: string[]
  beyond_limit: string[]
}

export interface RollingPoint {
  start: string
  end: string
  coefficient: Figure
  ci_low: Figure
  ci_high: Figure
  r2: Figure
  weak: boolean
}
export interface RollingFeature {
  feature: number
  points: RollingPoint[]
  sign_change: boolean
  separate_intervals: boolean
}
export interface RollingSeries {
  item_id: string
  features: RollingFeature[]
}
export interface Rolling {
  features: string[]
  window: number
  series: RollingSeries[]
}

/** `analyses.json`, which the engine writes for the pages of the analyses of a forecast or a table. */
export interface AnalysesDocument {
  version: number
  /** Absent: a forecast. */
  subject?: 'table'
  target: string
  /** For a classification: the class whose probability is explained. */
  class?: string
  /** Set for a forecast. */
  freq?: string
  completed: AnalysisName[]
  skipped: Partial<Record<AnalysisName, string>>
  warnings: string[]
  importance: Importance | null
  shap: Shap | null
  feature_target: { rows: FeatureTargetRow[] } | null
  feature_feature: FeatureFeature | null
  rolling: Rolling | null
}
