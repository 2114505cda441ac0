import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import type { KnownColumns } from '../../domain/prompt-reading.ts'

/**
 * The columns for a second profile of the dataset, if the intent names another target or time column than the profile
 * has. The series may differ then. undefined: the profile fits the intent.
 */
export function otherColumns ({ forecast_target: target, time_column: timestamp }: ForecastIntent,
  { roles }: DataProfile, known: KnownColumns): KnownColumns | undefined {
  const isOther = (target !== null && target !== roles.target) || (timestamp !== null && timestamp !== roles.timestamp)
  return isOther
    ? { ...known, ...(target === null ? {} : { target }), ...(timestamp === null ? {} : { timestamp }) }
    : undefined
}
