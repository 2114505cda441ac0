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
      }. If one is longer than a series, it is not used there, and the job reports it.`
    }
  )

/** Deterministic covariates, computed from the dataset before models are fitted. */
export const featureEngineering = closedObject({
  enabled: flag('Whether to make the features below. Every preset uses them.'),
  time_features: flag(
    'Parts of the time stamp, as far as they vary at this frequency: year, quarter, month, week of the year, day of ' +
      'the year, month and week, hour, minute.'
  ),
  cyclical_encoding: flag('Sine and cosine of the parts that are periodic.'),
  lag_features: flag('Values of earlier steps.'),
  lag_periods: steps(featureDefaults.lagPeriods, 'Lags'),
  rolling_features: flag('Statistics over windows of recent values.'),
  rolling_windows: steps(featureDefaults.rollingWindows, 'Lengths of the rolling windows'),
  rolling_stats: Type.Array(Type.Enum(stats), {
    default: [...featureDefaults.rollingStats],
    maxItems: maxEntries,
    description: 'Statistics of each rolling window.'
  }),
  growth_features: flag('Relative changes from earlier values to the last one.'),
  growth_periods: steps(featureDefaults.growthPeriods, 'Distances of the growth metrics'),
  event_flags: flag('Flags for weekends, and for the first and last day of month, quarter and year.')
}, {
  description: 'Covariates computed from the dataset: calendar, cyclical encodings, lags, rolling statistics, ' +
    'growth, event flags.'
})

export type FeatureEngineeringBlock = Static<typeof featureEngineering>
