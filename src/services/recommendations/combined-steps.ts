import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import type { Granularity } from '../../domain/intent-values.ts'
import { dayMs } from './time/civil-time.ts'
import { aliasOf, granularityOf, readFrequency, startOfStep, stepSeconds, type Frequency } from './time/frequency.ts'
import { combinedRows, type CombinedRows } from './combined-rows.ts'
import { seriesNames, shortestLength } from './series-names.ts'

export interface CombinedSteps {
  /** The alias of the step that rows are combined into; null: rows keep their times. */
  step: string | null
  /** How rows are combined, and why. */
  rows: CombinedRows
  /**
   * Whether the last step of the data is left out because the data end within it. The forecast then begins with that
   * step.
   */
  endsWithin: boolean
  /** The requested step, if it is shorter than that of the data; `step` is null then. */
  tooFine: string | null
  /**
   * The requested step, if the shortest series has too few such steps. `step` is then null or, for rows without a
   * regular step, the step that suits them.
   */
  tooLong: string | null
}

/** A model cannot learn from fewer steps. */
const leastSteps = 4

const lengthsFineToCoarse: Granularity[] = ['minutely', 'five_minutely', 'quarter_hourly', 'half_hourly', 'hourly',
  'daily', 'weekly', 'monthly', 'quarterly', 'yearly']

/**
 * Rows are combined if the forecast has longer steps than the data, or if the data have no regular step. With
 * `isIrregular`, rows are also combined into the step of the data, because rows of joined series lie between its times.
 * `finer`: for rows without a regular step, how much shorter the step is than the one that suits them, because that one
 * leaves too few steps.
 */
export function combinedSteps (intent: ForecastIntent, data: DataProfile, isIrregular = false,
  finer = 0): CombinedSteps {
  const { series } = data
  const stepped = (step: string | null): CombinedSteps => {
    const rows = combinedRows(intent, data, step, isIrregular)
    return { step, rows, endsWithin: false, tooFine: null, tooLong: null }
  }
  if (series === null) return stepped(null)
  const { freq, start, end, avgLength } = series
  const own = readFrequency(freq ?? '')
  const wanted = intent.granularity === null ? null : aliasOf(intent.granularity)
  const wantedSeconds = wanted === null ? 0 : secondsOf(wanted)
  if (own !== undefined) {
    const isNamedSo = wanted === null || intent.granularity === granularityOf(freq)
    if (isNamedSo || wantedSeconds <= stepSeconds(own) * 1.01) {
      const isFiner = !isNamedSo && wantedSeconds < stepSeconds(own) * 0.99
      return { ...stepped(isIrregular ? freq : null), tooFine: isFiner ? wanted : null }
    }
  }
  const spanned = (Date.parse(end) - Date.parse(start)) / 1000
  const seconds = own === undefined ? spanned : shortestLength(seriesNames(intent, data), data) * stepSeconds(own)
  const tooLong = seconds < leastSteps * wantedSeconds ? wanted : null
  if (tooLong !== null && own !== undefined) return { ...stepped(null), tooLong }
  const step = tooLong === null && wanted !== null ? wanted : stepOfGap(spanned / Math.max(1, avgLength - 1), finer)
  const combined = stepped(step)
  // The sum or peak of an incomplete step would be wrong, so such a step is left out. A mean of it is fine.
  const endsWithin = combined.rows.aggregate !== 'mean' &&
    isWithin(new Date(end), own, readFrequency(step) as Frequency)
  return { ...combined, endsWithin, tooLong }
}

/** The sentence about a step that is too long. */
export function tooFewSteps (step: string): string {
  return `The shortest series has fewer than ${leastSteps} steps of ${step}, too few for a forecast.`
}

function secondsOf (alias: string): number {
  return stepSeconds(readFrequency(alias) as Frequency)
}

/**
 * The shortest step that is at least the mean gap between rows, or a step that is `finer` lengths shorter; longer if
 * `finer` is negative.
 */
function stepOfGap (seconds: number, finer: number): string {
  const aliases = lengthsFineToCoarse.map((granularity) => aliasOf(granularity) as string)
  const place = aliases.findIndex((alias) => secondsOf(alias) >= seconds * 0.99)
  const last = aliases.length - 1
  return aliases[Math.min(last, Math.max(0, (place < 0 ? last : place) - finer))] as string
}

/**
 * Whether a row after `end` could still belong to the same step. The next row would be one step of the data away;
 * without a regular step it would be on another day, or at another second if steps are shorter than days.
 */
function isWithin (end: Date, own: Frequency | undefined, step: Frequency): boolean {
  const ms = end.getTime()
  const nextMs = own !== undefined
    ? ms + stepSeconds(own) * 1000
    : stepSeconds(step) < 86_400
    ? ms + 1000
    : (Math.floor(ms / dayMs) + 1) * dayMs
  return startOfStep(end, step).getTime() === startOfStep(new Date(nextMs), step).getTime()
}
