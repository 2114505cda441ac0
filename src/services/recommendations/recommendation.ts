import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import type { Preset } from '../../domain/forecast-spec.ts'
import type { PreparationBlock } from '../forecasts/blocks/preparation.ts'
import type { ReconciliationBlock } from '../forecasts/blocks/reconciliation.ts'
import type { TabcastError } from '../../platform/errors.ts'

/** The maximum length of a column name in a request, in characters. */
export const maxColumnName = 200

/**
 * What names the series of a forecast: the item id column, several columns together, or nothing if the file is a single
 * series.
 */
export type SeriesNames = { itemId: string } | { columns: string[] }

/** The fields of a forecast request that a recommendation sets. The others have their defaults. */
export interface RecommendedConfig {
  prediction_length: number
  presets: string
  item_id_column: string
  timestamp_column: string
  target_column: string
  freq: string | null
  /** JSON arrays as text, in the form of requests. */
  quantile_levels: string | null
  covariates: string | null
  preparation: PreparationBlock | null
  reconciliation: ReconciliationBlock | null
}

/** What is said about a choice, one sentence each. `warnings`: notes for the caller. */
export interface Reasons {
  rationale: string[]
  warnings: string[]
}

/** Warnings about parts of the intent without effect come first. */
export interface Recommendation extends Reasons {
  config: RecommendedConfig
  /** The size of the forecast, for estimates. */
  counts: { series: number, rows: number, covariates: number }
}

export interface RecommendationInput {
  intent: ForecastIntent
  data: DataProfile
  /** The number of steps from the form; null: the intent gives the horizon, or nobody does. */
  horizon: number | null
  maxHorizon: number
  /** Whether to use helpful columns that nobody named. */
  addsCovariates: boolean
  /** The filtered and grouped rows have no regular step, so they are combined into the step of the file. */
  isIrregular?: boolean
  /**
   * For rows without a regular step: how many lengths shorter the step is than the one that suits them best; negative:
   * longer.
   */
  finer?: number
  /** How long a forecast with this preset takes at most in nine of ten cases, in seconds. */
  p90Seconds: (config: RecommendedConfig, preset: Preset, counts: Recommendation['counts']) => number
}

/** Why a forecast of these rows is refused with this configuration. */
export interface Refusal {
  /** The code, as in the `type` of a field error. */
  code: string
  /** One or two sentences, including what the caller can do. */
  message: string
  /** The column that the refusal is about, if there is one. */
  column: string | null
  /** The error that a route would answer with. */
  error: TabcastError
}

/**
 * Checks the rows that a configuration leaves as its job would: returns the alias of their step, or why they are
 * refused; undefined: there was no time to check.
 */
export type RowCheck = (config: RecommendedConfig) => Promise<{ freq: string } | Refusal | undefined>
