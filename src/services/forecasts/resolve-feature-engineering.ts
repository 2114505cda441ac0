import type { FeatureEngineeringSpec } from '../../domain/forecast-spec.ts'
import { featureDefaults as defaults, type FeatureEngineeringBlock } from './blocks/feature-engineering.ts'

/**
 * undefined when off, or without any feature. A kind of feature whose list is empty is off, and the list of a kind that
 * is off gets its default. Other lists are sorted without duplicates. So equivalent requests have one hash.
 */
export function resolveFeatureEngineering (
  block: FeatureEngineeringBlock | null | undefined
): FeatureEngineeringSpec | undefined {
  if (block?.enabled !== true) return undefined
  const lags = block.lag_features && block.lag_periods.length > 0
  const rolls = block.rolling_features && block.rolling_windows.length > 0 && block.rolling_stats.length > 0
  const grows = block.growth_features && block.growth_periods.length > 0
  if (![lags, rolls, grows, block.time_features, block.cyclical_encoding, block.event_flags].includes(true)) {
    return undefined
  }
  return {
    timeFeatures: block.time_features,
    cyclicalEncoding: block.cyclical_encoding,
    lagFeatures: lags,
    lagPeriods: ascending(lags ? block.lag_periods : defaults.lagPeriods),
    rollingFeatures: rolls,
    rollingWindows: ascending(rolls ? block.rolling_windows : defaults.rollingWindows),
    // In the order of the API, whatever the order of the request.
    rollingStats: defaults.rollingStats.filter((stat) => !rolls || block.rolling_stats.includes(stat)),
    growthFeatures: grows,
    growthPeriods: ascending(grows ? block.growth_periods : defaults.growthPeriods),
    eventFlags: block.event_flags
  }
}

function ascending (steps: readonly number[]): number[] {
  return [...new Set(steps)].sort((a, b) => a - b)
}
