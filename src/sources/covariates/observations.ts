import { utcDate } from './alignment/utc-date.ts'

/** The regular distance between valid times; calendar lengths are in UTC. */
export type Frequency = 'PT15M' | 'PT30M' | 'PT1H' | 'P1D' | 'P1W' | 'P1M' | 'P3M' | 'P1Y'

const minuteMs = 60_000
const dayMs = 86_400_000
const fixedMs: Partial<Record<Frequency, number>> = {
  PT15M: 15 * minuteMs,
  PT30M: 30 * minuteMs,
  PT1H: 60 * minuteMs,
  P1D: dayMs,
  P1W: 7 * dayMs
}
const months: Partial<Record<Frequency, number>> = { P1M: 1, P3M: 3, P1Y: 12 }

/**
 * Values of one variable, as columns of equal length. Row i has the value for the interval that begins at
 * `validTimeMs[i]`. Rows are ordered by valid time; several rows with the same valid time are vintages.
 */
export interface Observations {
  variable: string
  frequency: Frequency
  /** Beginning of the interval, milliseconds UTC. */
  validTimeMs: Float64Array
  /** NaN: the provider has none. */
  values: Float64Array
  /** When the value was computed, milliseconds UTC; NaN: not known. */
  issuedAtMs: Float64Array
  /** When the value became available, milliseconds UTC; NaN: not known, so the declared delay is used. */
  publishedAtMs: Float64Array
}

/** The columns while they are collected. */
export interface ObservationColumns {
  validTimeMs: ArrayLike<number>
  values: ArrayLike<number | null>
  issuedAtMs?: ArrayLike<number> | undefined
  publishedAtMs?: ArrayLike<number> | undefined
}

/**
 * Orders columns by valid time, then publication and issue, and keeps valid times in [startMs, endMs). Throws
 * RangeError for unequal lengths.
 */
export function observationsOf (variable: string, frequency: Frequency, columns: ObservationColumns,
  range: { startMs: number, endMs: number }): Observations {
  const { validTimeMs, values, issuedAtMs, publishedAtMs } = columns
  const rows = validTimeMs.length
  if (values.length !== rows || (issuedAtMs?.length ?? rows) !== rows || (publishedAtMs?.length ?? rows) !== rows) {
    throw new RangeError('the columns differ in length')
  }
  const within = rangeOfRising(validTimeMs, range)
  if (within !== null) {
    const part = (source: ArrayLike<number | null> | undefined) => slice(source, within)
    return {
      variable,
      frequency,
      validTimeMs: part(validTimeMs),
      values: part(values),
      issuedAtMs: part(issuedAtMs),
      publishedAtMs: part(publishedAtMs)
    }
  }
  const at = (column: ArrayLike<number> | undefined, row: number) => column?.[row] ?? NaN
  // A vintage with an unknown publication sorts first, so that a known one counts as newer.
  const order = (one: number, other: number) =>
    compare(at(validTimeMs, one), at(validTimeMs, other)) ||
    compare(at(publishedAtMs, one), at(publishedAtMs, other)) || compare(at(issuedAtMs, one), at(issuedAtMs, other)) ||
    one - other
  const kept: number[] = []
  for (let row = 0; row < rows; row++) {
    const time = at(validTimeMs, row)
    if (time >= range.startMs && time < range.endMs) kept.push(row)
  }
  kept.sort(order)
  const column = (source: ArrayLike<number | null> | undefined) =>
    Float64Array.from(kept, (row) => source?.[row] ?? NaN)
  return {
    variable,
    frequency,
    validTimeMs: column(validTimeMs),
    values: column(values),
    issuedAtMs: column(issuedAtMs),
    publishedAtMs: column(publishedAtMs)
  }
}

/**
 * The rows in the range, if every valid time is later than the one before, as in a part without vintages; null: they
 * have to be sorted.
 */
function rangeOfRising (validTimeMs: ArrayLike<number>, { startMs, endMs }: { startMs: number, endMs: number }): {
  from: number
  to: number
} | null {
  let [from, to, before] = [0, 0, -Infinity]
  for (let row = 0; row < validTimeMs.length; row++) {
    const time = validTimeMs[row] as number
    // The negation also catches a time that is NaN.
    if (!(time > before)) return null
    before = time
    if (time < startMs) from = row + 1
    if (time < endMs) to = row + 1
  }
  return { from, to: Math.max(from, to) }
}

/** A copy, because the source may be shared. */
function slice (source: ArrayLike<number | null> | undefined,
  { from, to }: { from: number, to: number }): Float64Array {
  if (source instanceof Float64Array) return source.slice(from, to)
  const part = new Float64Array(to - from).fill(NaN)
  if (source !== undefined) { for (let row = from; row < to; row++) part[row - from] = source[row] ?? NaN }
  return part
}

/** End of the interval that begins there, milliseconds UTC. */
export function periodEnd (startMs: number, frequency: Frequency): number {
  const fixed = fixedMs[frequency]
  if (fixed !== undefined) return startMs + fixed
  const date = new Date(startMs)
  const day = date.getUTCDate()
  // An interval that would end on the 31st of a shorter month ends with that month.
  const first = utcDate(date.getUTCFullYear(), date.getUTCMonth() + (months[frequency] ?? 1), 1)
  const last = utcDate(date.getUTCFullYear(), date.getUTCMonth() + (months[frequency] ?? 1) + 1, 0)
  return Math.min(first + (day - 1) * dayMs, last) + ((startMs % dayMs) + dayMs) % dayMs
}

/**
 * The frequency whose length is nearest to the median distance; daily if there is none. For providers that do not give
 * it.
 */
export function frequencyOf (validTimeMs: ArrayLike<number>): Frequency {
  const gaps: number[] = []
  for (let row = 1; row < validTimeMs.length; row++) {
    const gap = (validTimeMs[row] ?? NaN) - (validTimeMs[row - 1] ?? NaN)
    if (gap > 0) gaps.push(gap)
  }
  if (gaps.length === 0) return 'P1D'
  gaps.sort(compare)
  const median = gaps[gaps.length >> 1] ?? dayMs
  const lengths: Array<[Frequency, number]> = [
    ['PT15M', 15 * minuteMs],
    ['PT30M', 30 * minuteMs],
    ['PT1H', 60 * minuteMs],
    ['P1D', dayMs],
    ['P1W', 7 * dayMs],
    ['P1M', 30.4 * dayMs],
    ['P3M', 91.3 * dayMs],
    ['P1Y', 365.2 * dayMs]
  ]
  return lengths.reduce((best, one) =>
    Math.abs(Math.log(one[1] / median)) < Math.abs(Math.log(best[1] / median)) ? one : best
  )[0]
}

/** NaN counts as the smallest. */
function compare (one: number, other: number): number {
  if (Number.isNaN(one)) return Number.isNaN(other) ? 0 : -1
  if (Number.isNaN(other)) return 1
  return one - other
}
