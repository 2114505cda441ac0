import { Type } from 'typebox'
import { closedObject } from '../closed-object.ts'

const steps = (defaults: number[], what: string) => Type.Array(
  Type.Integer({ minimum: 1, maximum: 10_000 }),
  { default: defaults, maxItems: 64, description: `${what}, in steps of the series.` }
)

/** Deterministic covariates made from the dataset before a model is fitted. */
export const featureEngineering = closedObject({
  enabled: Type.Boolean({ default: true }),
  time_features: Type.Boolean({ default: true }),
  cyclical_encoding: Type.Boolean({ default: true }),
  lag_features: Type.Boolean({ default: true }),
  lag_periods: steps([1, 7, 14, 30], 'Lags'),
  rolling_features: Type.Boolean({ default: true }),
  rolling_windows: steps([3, 7, 14, 30], 'Lengths of the rolling windows'),
  rolling_stats: Type.Array(Type.Enum(['mean', 'std', 'min', 'max']), { default: ['mean', 'std', 'min', 'max'], maxItems: 64 }),
  growth_features: Type.Boolean({ default: true }),
  growth_periods: steps([1, 7], 'Distances of the growth metrics'),
  event_flags: Type.Boolean({ default: true })
}, { description: 'Deterministic covariates (calendar, cyclical encodings, lags, rolling statistics, growth, event flags) made from the dataset.' })
