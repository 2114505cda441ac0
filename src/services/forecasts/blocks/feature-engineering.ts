import { Type, type Static } from 'typebox'
import type { RollingStat } from '../../../domain/forecast-spec.ts'
import { closedObject } from '../../../platform/closed-object.ts'

const maxSteps = 10_000
const maxEntries = 64
const stats = ['mean', 'std', 'min', 'max'] as const satisfies readonly RollingStat[]

/** Defaults of lists that are left out, or whose features are switched off. */
export const featureDefaults = {
  lagPeriods: [1, 7, 14, 30],
  rollingWindows: [3, 7, 14, 30],
  rollingStats: [...stats],
  growthPeriods: [1, 7]
} as const

const flag = (description: string) => Type.Boolean({ default: true, description })
const steps = (defaults: readonly number[], what: string) =>
  Type.Array(
    Type.Integer({ minimum: 1, maximum: maxSteps }),
    {
      default: [...defaults],
      maxItems: maxEntries,
      description: `${what}, in steps of the series, at most ${maxEntries} from 1 to ${
        maxSteps.toLocaleString('en-US')
      }; one that is longer than a series is not used there and reported.`
    }
  )

/** Deterministic covariates, computed from the dataset before models are fitted. */
export const featureEngineering = closedObject({
  enabled: flag('Make the features below, and use them in every preset.'),
  time_features: flag(
    'Parts of the time stamp that vary at the frequency: year, quarter, month, week of year, days of year, month and ' +
      'week, hour, minute.'
  ),
  cyclical_encoding: flag('Sine and cosine of those parts that have a period.'),
  lag_features: flag('Values some steps earlier.'),
  lag_periods: steps(featureDefaults.lagPeriods, 'Lags'),
  rolling_features: flag('Statistics of the last values.'),
  rolling_windows: steps(featureDefaults.rollingWindows, 'Lengths of the rolling windows'),
  rolling_stats: Type.Array(Type.Enum(stats), {
    default: [...featureDefaults.rollingStats],
    maxItems: maxEntries,
    description: 'Statistics of each rolling window.'
  }),
  growth_features: flag('Relative changes of the last value.'),
  growth_periods: steps(featureDefaults.growthPeriods, 'Distances of the growth metrics'),
  event_flags: flag('Weekend, first and last day of month, quarter and year.')
}, {
  description:
    'Deterministic covariates (calendar, cyclical encodings, lags, rolling statistics, growth, event flags) made ' +
    'from the dataset.'
})

export type FeatureEngineeringBlock = Static<typeof featureEngineering>
