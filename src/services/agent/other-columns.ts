import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import type { KnownColumns } from '../../domain/prompt-reading.ts'

/**
 * The columns to profile a dataset with once more, where an intent names another target or time than the profile has:
 * what the series are like is another matter then. undefined: the profile is that of the intent.
 */
export function otherColumns ({ forecast_target: target, time_column: timestamp }: ForecastIntent,
  { roles }: DataProfile, known: KnownColumns): KnownColumns | undefined {
  const isOther = (target !== null && target !== roles.target) || (timestamp !== null && timestamp !== roles.timestamp)
  return isOther
    ? { ...known, ...(target === null ? {} : { target }), ...(timestamp === null ? {} : { timestamp }) }
    : undefined
}
