import type { CovariateSurvey } from '../../domain/external-covariates-spec.ts'
import { utcDate } from './alignment/utc-date.ts'
import { CovariateInputError } from './covariate-input-error.ts'

/**
 * The longest allowed time from the first step of a dataset to the end of its horizon, in years, over all series
 * together. The work for covariates grows with it.
 */
export interface CovariateSpans {
  /** For steps of a day or longer. */
  dailyYears: number
  /** For shorter steps. */
  hourlyYears: number
}

const dayMs = 86_400_000
/** Days of a step by the first letters of its alias, each at most the shortest length that such a step can have. */
const stepDays: ReadonlyArray<[RegExp, number]> = [
  [/^(?:min|t)$/i, 1 / 1440],
  [/^(?:ms|us|ns)$/, 0],
  [/^s$/i, 1 / 86_400],
  [/^b?h$/i, 1 / 24],
  [/^w/i, 7],
  [/^sm/i, 365 / 24],
  [/^b?m/i, 365 / 12],
  [/^b?q/i, 365 / 4],
  [/^b?[ya]/i, 365]
]

/** Whether steps are parts of a day. */
export function isFinerThanDays (freq: string): boolean {
  return /^\d*(h|min|s|ms|us|ns)$/.test(freq)
}

/** Throws CovariateInputError if the dataset spans more than the allowed time. */
export function checkSpan ({ freq, axes }: Pick<CovariateSurvey, 'freq' | 'axes'>, spans: CovariateSpans): void {
  const limit = limitOf(freq, spans)
  // There may be as many axes as series: too many for the arguments of one call.
  const firstMs = axes.reduce((least, [first = Infinity]) => Math.min(least, first), Infinity)
  const lastMs = axes.reduce((most, labels) => Math.max(most, labels.at(-1) ?? -Infinity), -Infinity)
  if (axes.length === 0 || lastMs < yearsAfter(firstMs, limit)) return
  throw tooLong(Math.round((lastMs - firstMs) / (365.25 * dayMs)), freq, spans)
}

/**
 * A check for a dataset of which only the longest series is known. It refuses nothing that `checkSpan` would accept.
 */
export function checkLength (freq: string, steps: number, spans: CovariateSpans): void {
  const years = steps * daysOf(freq) / 365.25
  // Divided as if every year were a leap year, so that nothing is refused too early.
  if (years * 365.25 / 366 > limitOf(freq, spans)) throw tooLong(Math.round(years), freq, spans)
}

function limitOf (freq: string, { dailyYears, hourlyYears }: CovariateSpans): number {
  return isFinerThanDays(freq) ? hourlyYears : dailyYears
}

function tooLong (years: number, freq: string, { dailyYears, hourlyYears }: CovariateSpans): CovariateInputError {
  const [limit, steps] = isFinerThanDays(freq)
    ? [hourlyYears, 'shorter than a day']
    : [dailyYears, 'of a day or longer']
  return new CovariateInputError('',
    `the series and their horizon span ${years} years; covariates are found for at most ${limit} years of steps ` +
      `${steps}. Send a shorter history or horizon, or leave external_covariates out.`)
}

function daysOf (freq: string): number {
  const [count = ''] = /^\d*/.exec(freq) ?? []
  const unit = freq.slice(count.length)
  return Number(count === '' ? 1 : count) * (stepDays.find(([alias]) => alias.test(unit))?.[1] ?? 1)
}

function yearsAfter (ms: number, years: number): number {
  const date = new Date(ms)
  return utcDate(date.getUTCFullYear() + years, date.getUTCMonth(), date.getUTCDate()) + ((ms % dayMs) + dayMs) % dayMs
}
