export const granularities = [
  'minutely',
  'five_minutely',
  'quarter_hourly',
  'half_hourly',
  'hourly',
  'daily',
  'business_daily',
  'weekly',
  'monthly',
  'quarterly',
  'yearly',
  'irregular'
] as const
export const horizonUnits = ['steps', 'minutes', 'hours', 'days', 'weeks', 'months', 'quarters', 'years'] as const
export const filterOperators = ['eq', 'ne', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'contains', 'between'] as const
export const evaluationMetrics = ['MAPE', 'SMAPE', 'WAPE', 'MAE', 'MSE', 'RMSE', 'MASE', 'RMSSE', 'WQL', 'SQL'] as const
export const backtestStrategies = ['holdout', 'rolling_origin', 'expanding_window', 'none'] as const
export const anomalyHandlings = ['none', 'flag', 'clip', 'interpolate', 'remove'] as const
export const missingDataHandlings = ['ffill', 'bfill', 'interpolate', 'zero', 'mean', 'drop', 'none'] as const
export const deploymentTargets = ['one_off', 'scheduled', 'api', 'write_back'] as const
export const reviewStatuses = ['draft', 'needs_clarification', 'ready', 'confirmed', 'rejected'] as const

export type Granularity = typeof granularities[number]
export type HorizonUnit = typeof horizonUnits[number]
export type FilterOperator = typeof filterOperators[number]
export type EvaluationMetric = typeof evaluationMetrics[number]
export type BacktestStrategy = typeof backtestStrategies[number]
export type AnomalyHandling = typeof anomalyHandlings[number]
export type MissingDataHandling = typeof missingDataHandlings[number]
export type DeploymentTarget = typeof deploymentTargets[number]
export type ReviewStatus = typeof reviewStatuses[number]
