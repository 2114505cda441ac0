import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { dayMs } from '../time/civil-time.ts'
import { addSteps, monthsOf, readFrequency, stepSeconds, type Frequency } from '../time/frequency.ts'
import type { CombinedSteps } from './combined-steps.ts'
import { rowFilters } from './row-filters.ts'

const sundayMs = 3 * dayMs

/** The first and the last period of a forecast, in words; undefined if they depend on the prepared rows. */
export function forecastSpan (intent: ForecastIntent, data: DataProfile, { step, endsWithin }: CombinedSteps,
  steps: number): { first: string, last: string } | undefined {
  const { series } = data
  const alias = step ?? series?.freq
  const frequency = alias == null ? undefined : readFrequency(alias)
  const end = new Date(series?.end ?? NaN)
  // Filters may end the series before the end of the data.
  const cutsTime = intent.filters.some(({ column, op }) => column === intent.time_column && op !== 'gt' && op !== 'gte')
  if (series === null || frequency === undefined || Number.isNaN(end.getTime()) || cutsTime ||
    rowFilters(intent, data).length > intent.filters.filter(({ column }) => column === intent.time_column).length) {
    return undefined
  }
  const begin = step === null ? end : labelOf(end, frequency)
  const at = (index: number): string | undefined =>
    periodText(addSteps(begin, frequency, index - (step !== null && endsWithin ? 1 : 0)), frequency)
  const [first, last] = [at(1), at(steps)]
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** The time that names a step of combined rows: Sunday for weeks, the beginning for others. */
function labelOf (time: Date, { multiple, unit }: Frequency): Date {
  const ms = time.getTime()
  if (unit === 'W') {
    return new Date(Math.ceil((Math.floor(ms / dayMs) * dayMs - sundayMs) / (7 * dayMs)) * 7 * dayMs + sundayMs)
  }
  const months = monthsOf({ multiple, unit })
  if (months !== undefined) {
    const first = Math.floor((time.getUTCFullYear() * 12 + time.getUTCMonth()) / months) * months
    return new Date(Date.UTC(Math.floor(first / 12), first % 12, 1))
  }
  const stepMs = stepSeconds({ multiple, unit }) * 1000
  return new Date(Math.floor(ms / stepMs) * stepMs)
}

/** undefined: the year has more than four digits. */
function periodText (time: Date, { unit }: Frequency): string | undefined {
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999) return undefined
  const text = time.toISOString()
  if (unit === 's' || unit === 'min' || unit === 'h') return `${text.slice(0, 19)}Z`
  if (unit === 'Y') return text.slice(0, 4)
  if (unit === 'Q') return `${text.slice(0, 4)}-Q${Math.floor(time.getUTCMonth() / 3) + 1}`
  return text.slice(0, unit === 'M' ? 7 : 10)
}
