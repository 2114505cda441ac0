import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import type { Finding } from '../reading.ts'

/** Fields that a model may fill if the rules leave them open. It never decides season lengths, entities and steps. */
const fillable = [
  'forecast_target',
  'time_column',
  'granularity',
  'horizon',
  'grouping',
  'filters',
  'covariates',
  'evaluation_metric',
  'backtest_strategy',
  'confidence_intervals',
  'anomaly_handling',
  'missing_data_handling',
  'deployment_target',
  'user_constraints',
  'business_objective'
] as const
export type OpenField = typeof fillable[number]

/**
 * The fields that neither the prompt, as read by the rules, nor the data determine. If the rules found two values, or a
 * name that the data do not have, the rules ask, and the field is not open.
 */
export function openFields (findings: readonly Finding[], intent: ForecastIntent): Set<OpenField> {
  const found = new Set<string>(findings.map(({ field }) => field === 'unknown_target' ? 'forecast_target' : field))
  const ofData: Partial<Record<OpenField, unknown>> = {
    forecast_target: intent.forecast_target,
    time_column: intent.time_column,
    granularity: intent.granularity,
    business_objective: intent.business_objective
  }
  return new Set(fillable.filter((field) => !found.has(field) && (ofData[field] ?? null) === null))
}
