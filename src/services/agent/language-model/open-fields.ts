import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import type { Finding } from '../reading.ts'

/**
 * Fields that a model may fill, where the rules left them open. Season lengths, entities and steps are never its own.
 */
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
 * Fields that neither the prompt, as the rules read it, nor the data say anything of. What the rules found two of, or a
 * name that the data do not have, stays theirs to ask about.
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
