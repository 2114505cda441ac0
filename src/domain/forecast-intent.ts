import type { AnomalyHandling, BacktestStrategy, DeploymentTarget, EvaluationMetric, FilterOperator, Granularity,
  HorizonUnit, MissingDataHandling, ReviewStatus } from './intent-values.ts'

/** What a sender wants forecast. null: neither the prompt nor the data say it. */
export interface ForecastIntent {
  /** What the forecast is for, in the sender's words. */
  business_objective: string | null
  forecast_target: string | null
  time_column: string | null
  granularity: Granularity | null
  /** Steps of `granularity` after the last time of the data. */
  horizon: number | null
  /** pandas alias of a step. */
  forecast_frequency: string | null
  /** The horizon as the prompt puts it; steps where it names an end instead of a length. */
  horizon_quantity: number | null
  horizon_unit: HorizonUnit | null
  /** Columns whose values name a series. */
  entity_columns: string[]
  /** Other columns to forecast by. */
  grouping_dimensions: string[]
  filters: IntentFilter[]
  /** Those known ahead and those known of the past only, together. */
  covariates: string[]
  known_future_features: string[]
  historical_features: string[]
  evaluation_metric: EvaluationMetric
  backtest_strategy: BacktestStrategy
  /** Shares of the outcomes that an interval shall hold, between 0 and 1, ascending. */
  confidence_intervals: number[]
  /** Season lengths in steps of `granularity`. */
  seasonality: number[]
  anomaly_handling: AnomalyHandling
  missing_data_handling: MissingDataHandling
  /** Wishes that no other field has (`non_negative`, `max 500`), and what was not understood (`Not used: ...`). */
  user_constraints: string[]
  deployment_target: DeploymentTarget
  review_status: ReviewStatus
  missing_required_fields: string[]
  /** At most three, the most important first. */
  clarification_questions: ClarificationQuestion[]
  /** 0 to 1: how much of the intent was said, and how much of what was said is in it. */
  confidence: number
}

export interface IntentFilter {
  column: string
  op: FilterOperator
  /**
   * Of `in`, `not_in` and `between` several, separated by commas, or a JSON list where values have commas of their own.
   */
  value: string
}

export interface ClarificationQuestion {
  /** The field of the intent that the answer goes to. */
  field: string
  question: string
  /** At most four, of the real data. */
  suggestions: string[]
}
