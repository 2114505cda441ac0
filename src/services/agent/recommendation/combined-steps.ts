import type { DataProfile } from '../../../domain/data-profile.ts'
import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import type { Granularity } from '../../../domain/intent-values.ts'
import { dayMs } from '../time/civil-time.ts'
import { aliasOf, granularityOf, readFrequency, startOfStep, stepSeconds, type Frequency } from '../time/frequency.ts'
import { combinedRows, type CombinedRows } from './combined-rows.ts'
import { seriesNames, shortestLength } from './series-names.ts'

export interface CombinedSteps {
  /** Alias of the steps that rows are combined into; null: rows keep their times. */
  step: string | null
  /** How rows become one, and why. */
  rows: CombinedRows
  /** Whether the last step of the data is left out, because they end within it; the forecast then begins with it. */
  endsWithin: boolean
  /** Steps that were asked for and are shorter than those of the data; `step` is null then. */
  tooFine: string | null
  /**
   * Steps that were asked for, of which the shortest series has too few; `step` is null then, or of rows without a
   * regular step the one that suits them.
   */
  tooLong: string | null
}

/** Of fewer nothing can be learned. */
const leastSteps = 4

const lengthsFineToCoarse: Granularity[] = ['minutely', 'five_minutely', 'quarter_hourly', 'half_hourly', 'hourly',
  'daily', 'weekly', 'monthly', 'quarterly', 'yearly']

/**
 * Rows are combined where the forecast has longer steps than the data, or the data have none; with `isIrregular` also
 * into steps that the data have, because rows of several series lie between them. `finer`: how many lengths shorter
 * than what suits rows without a step, where that leaves too few.
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
  // A part of a step is no sum or peak of it, and left out; its mean is one.
  const endsWithin = combined.rows.aggregate !== 'mean' &&
    isWithin(new Date(end), own, readFrequency(step) as Frequency)
  return { ...combined, endsWithin, tooLong }
}

/** What is wrong with steps that are too long, as a sentence. */
export function tooFewSteps (step: string): string {
  return `The shortest series has fewer than ${leastSteps} steps of ${step}, too few for a forecast.`
}

function secondsOf (alias: string): number {
  return stepSeconds(readFrequency(alias) as Frequency)
}

/**
 * The shortest step that is no shorter than the mean gap between rows, or one that is `finer` lengths shorter, or
 * longer where that is less than 0.
 */
function stepOfGap (seconds: number, finer: number): string {
  const aliases = lengthsFineToCoarse.map((granularity) => aliasOf(granularity) as string)
  const place = aliases.findIndex((alias) => secondsOf(alias) >= seconds * 0.99)
  const last = aliases.length - 1
  return aliases[Math.min(last, Math.max(0, (place < 0 ? last : place) - finer))] as string
}

/**
 * Whether there could be a row after `end` that is of the same step: a step away, else on another day, or at another
 * second where steps are shorter than days.
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
