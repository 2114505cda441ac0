import type { Static } from 'typebox'
import type { FeatureEngineeringSpec } from '../domain/forecast-spec.ts'
import type { featureConfig } from './schemas/feature-config.ts'

/** The specification in the form of a request's block. */
export function renderFeatureConfig (spec: FeatureEngineeringSpec): Static<typeof featureConfig> {
  return {
    enabled: true,
    time_features: spec.timeFeatures,
    cyclical_encoding: spec.cyclicalEncoding,
    lag_features: spec.lagFeatures,
    lag_periods: spec.lagPeriods,
    rolling_features: spec.rollingFeatures,
    rolling_windows: spec.rollingWindows,
    rolling_stats: spec.rollingStats,
    growth_features: spec.growthFeatures,
    growth_periods: spec.growthPeriods,
    event_flags: spec.eventFlags
  }
}
