import { Type } from 'typebox'

/** The `feature_engineering` block of a request, with its defaults and with sorted lists without duplicates. */
export const featureConfig = Type.Object({
  enabled: Type.Boolean(),
  time_features: Type.Boolean(),
  cyclical_encoding: Type.Boolean(),
  lag_features: Type.Boolean(),
  lag_periods: Type.Array(Type.Integer()),
  rolling_features: Type.Boolean(),
  rolling_windows: Type.Array(Type.Integer()),
  rolling_stats: Type.Array(Type.String()),
  growth_features: Type.Boolean(),
  growth_periods: Type.Array(Type.Integer()),
  event_flags: Type.Boolean()
})
