import type { ForecastIntent } from '../../src/domain/forecast-intent.ts'
import { anomalyHandlings, backtestStrategies, deploymentTargets, evaluationMetrics, filterOperators, granularities,
  horizonUnits, missingDataHandlings, reviewStatuses } from '../../src/domain/intent-values.ts'

const isText = (value: unknown): boolean => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isNumbers = (value: unknown): boolean => Array.isArray(value) && value.every(Number.isFinite)
const isOneOf = (values: readonly string[]) => (value: unknown): boolean => values.includes(value as string)
const orNull = (fits: (value: unknown) => boolean) => (value: unknown): boolean => value === null || fits(value)

const checks: Record<keyof ForecastIntent, (value: unknown) => boolean> = {
  business_objective: orNull(isText),
  forecast_target: orNull(isText),
  time_column: orNull(isText),
  granularity: orNull(isOneOf(granularities)),
  horizon: orNull((value) => Number.isInteger(value) && (value as number) > 0),
  forecast_frequency: orNull(isText),
  horizon_quantity: orNull((value) => Number.isFinite(value) && (value as number) > 0),
  horizon_unit: orNull(isOneOf(horizonUnits)),
  entity_columns: isTexts,
  grouping_dimensions: isTexts,
  filters: (value) =>
    Array.isArray(value) &&
    value.every(({ column, op, value: of, ...rest }) =>
      isText(column) && isOneOf(filterOperators)(op) && isText(of) && Object.keys(rest).length === 0
    ),
  covariates: isTexts,
  known_future_features: isTexts,
  historical_features: isTexts,
  evaluation_metric: isOneOf(evaluationMetrics),
  backtest_strategy: isOneOf(backtestStrategies),
  confidence_intervals: (value) => isNumbers(value) && (value as number[]).every((share) => share > 0 && share < 1),
  seasonality: isNumbers,
  anomaly_handling: isOneOf(anomalyHandlings),
  missing_data_handling: isOneOf(missingDataHandlings),
  user_constraints: (value) => isTexts(value) && (value as string[]).every((text) => text.length <= 100),
  deployment_target: isOneOf(deploymentTargets),
  review_status: isOneOf(reviewStatuses),
  missing_required_fields: isTexts,
  clarification_questions: (value) =>
    Array.isArray(value) && value.length <= 3 &&
    value.every(({ field, question, suggestions }) =>
      isText(field) && isText(question) && isTexts(suggestions) && suggestions.length <= 4
    ),
  confidence: (value) =>
    typeof value === 'number' && value >= 0 && value <= 1 && Math.abs(value * 100 - Math.round(value * 100)) < 1e-9
}

/** What is not as the specification has it. */
export function intentFaults (intent: ForecastIntent): string[] {
  const fields = Object.entries(checks).filter(([field, fits]) => !fits(intent[field as keyof ForecastIntent])).map((
    [field]
  ) => `${field}: ${JSON.stringify(intent[field as keyof ForecastIntent])}`)
  const others = Object.keys(intent).filter((field) => !(field in checks)).map((field) => `${field} is no field`)
  return [...fields, ...others]
}
