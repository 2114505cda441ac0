import type { AnomalyHandling, BacktestStrategy, DeploymentTarget, EvaluationMetric, FilterOperator, Granularity,
  HorizonUnit, MissingDataHandling, ReviewStatus } from './intent-values.ts'

/** What a sender wants to have forecast. null: neither the prompt nor the data says it. */
export interface ForecastIntent {
  /** The purpose of the forecast, in the sender's words. */
  business_objective: string | null
  forecast_target: string | null
  time_column: string | null
  granularity: Granularity | null
  /** Steps of `granularity` after the last time in the data. */
  horizon: number | null
  /** The pandas alias of a step. */
  forecast_frequency: string | null
  /** The horizon as the prompt puts it; a number of steps if the prompt names an end instead of a length. */
  horizon_quantity: number | null
  horizon_unit: HorizonUnit | null
  /** Columns whose values name a series. */
  entity_columns: string[]
  /** Other columns to forecast by. */
  grouping_dimensions: string[]
  filters: IntentFilter[]
  /** Known and past covariates together. */
  covariates: string[]
  known_future_features: string[]
  historical_features: string[]
  evaluation_metric: EvaluationMetric
  backtest_strategy: BacktestStrategy
  /** The share of outcomes that each interval shall contain, between 0 and 1, ascending. */
  confidence_intervals: number[]
  /** Season lengths in steps of `granularity`. */
  seasonality: number[]
  anomaly_handling: AnomalyHandling
  missing_data_handling: MissingDataHandling
  /**
   * Wishes that no other field holds (`non_negative`, `max 500`), and phrases that were not understood (`Not used:
   * ...`).
   */
  user_constraints: string[]
  deployment_target: DeploymentTarget
  review_status: ReviewStatus
  missing_required_fields: string[]
  /** At most three, the most important first. */
  clarification_questions: ClarificationQuestion[]
  /** From 0 to 1: how much of the intent the prompt states, and how much of the prompt the intent covers. */
  confidence: number
}

export interface IntentFilter {
  column: string
  op: FilterOperator
  /** Several values for `in`, `not_in` and `between`, separated by commas, or a JSON list if values contain commas. */
  value: string
}

export interface ClarificationQuestion {
  /** The field of the intent that the answer fills. */
  field: string
  question: string
  /** At most four values, from the actual data. */
  suggestions: string[]
}
