import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import type { Preset } from '../../../domain/forecast-spec.ts'
import type { PreparationBlock } from '../../forecasts/blocks/preparation.ts'
import type { ReconciliationBlock } from '../../forecasts/blocks/reconciliation.ts'
import type { TabcastError } from '../../../platform/errors.ts'

/** Characters of the name of a column that a request takes. */
export const maxColumnName = 200

/**
 * What names a series of the forecast: the item id column, or several columns together, or nothing, where the file is
 * one series.
 */
export type SeriesNames = { itemId: string } | { columns: string[] }

/** The fields of a forecast request that a recommendation sets; the others have their defaults. */
export interface RecommendedConfig {
  prediction_length: number
  presets: string
  item_id_column: string
  timestamp_column: string
  target_column: string
  freq: string | null
  /** JSON arrays as text, as requests have them. */
  quantile_levels: string | null
  covariates: string | null
  preparation: PreparationBlock | null
  reconciliation: ReconciliationBlock | null
}

export interface Recommendation {
  config: RecommendedConfig
  /** Why it is so, a sentence each. */
  rationale: string[]
  /** What the caller should know, a sentence each; first what of the intent has no effect. */
  warnings: string[]
  /** What the forecast is about, for estimates. */
  counts: { series: number, rows: number, covariates: number }
}

export interface RecommendationInput {
  intent: ForecastIntent
  data: DataProfile
  /** Steps that were asked for as a number; null: the intent says it, or nobody. */
  horizon: number | null
  maxHorizon: number
  /** Whether columns that may help shall be used though nobody named them. */
  addsCovariates: boolean
  /** Once filtered and grouped, the rows have no regular step, so that they are combined into that of the file. */
  isIrregular?: boolean
  /**
   * Of rows without a regular step: how many lengths shorter the step is than the one that suits them best; longer
   * where that is less than 0.
   */
  finer?: number
  /** How long a forecast with this preset would take, nine times of ten. */
  p90Seconds: (config: RecommendedConfig, preset: Preset, counts: Recommendation['counts']) => number
}

/** Why a forecast of these rows with this configuration is refused. */
export interface Refusal {
  /** As the type of the error of a field. */
  code: string
  /** A sentence or two, with what can be done about it. */
  message: string
  /** Concerned, where one is. */
  column: string | null
  /** What a route would answer. */
  error: TabcastError
}

/**
 * What a job would find in the rows that a configuration leaves: the alias of their step, or why it refuses them;
 * undefined: there was no time to look.
 */
export type RowCheck = (config: RecommendedConfig) => Promise<{ freq: string } | Refusal | undefined>
