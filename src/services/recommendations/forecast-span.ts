import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { dayMs } from './time/civil-time.ts'
import { addSteps, readFrequency, startOfStep, type Frequency } from './time/frequency.ts'
import type { CombinedSteps } from './combined-steps.ts'
import { rowFilters } from './prepare-rows.ts'

/** The first and the last period of a forecast, in words; undefined if they depend on the prepared rows. */
export function forecastSpan (intent: ForecastIntent, data: DataProfile, { step, endsWithin }: CombinedSteps,
  steps: number): { first: string, last: string } | undefined {
  const { series } = data
  const frequency = readFrequency(step ?? series?.freq ?? '')
  const end = new Date(series?.end ?? NaN)
  const ofTime = intent.filters.filter(({ column }) => column === intent.time_column)
  // Filters may end the series before the end of the data.
  const cutsTime = ofTime.some(({ op }) => op !== 'gt' && op !== 'gte')
  if (frequency === undefined || Number.isNaN(end.getTime()) || cutsTime ||
    rowFilters(intent, data).length > ofTime.length) return undefined
  // The name of a step of combined rows is its beginning, or for a week its Sunday.
  const begin = step === null
    ? end
    : new Date(startOfStep(end, { ...frequency, multiple: frequency.unit === 'W' ? 1 : frequency.multiple }).getTime() +
      (frequency.unit === 'W' ? 6 * dayMs : 0))
  const at = (index: number): string | undefined =>
    periodText(addSteps(begin, frequency, index - (step !== null && endsWithin ? 1 : 0)), frequency)
  const [first, last] = [at(1), at(steps)]
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** undefined: the year has more than four digits. */
function periodText (time: Date, { unit }: Frequency): string | undefined {
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999) return undefined
  const text = time.toISOString()
  if (unit === 's' || unit === 'min' || unit === 'h') return `${text.slice(0, 19)}Z`
  if (unit === 'Q') return `${text.slice(0, 4)}-Q${Math.floor(time.getUTCMonth() / 3) + 1}`
  return text.slice(0, unit === 'Y' ? 4 : unit === 'M' ? 7 : 10)
}
