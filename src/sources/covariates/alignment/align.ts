import { periodEnd, type Frequency, type Observations } from '../observations.ts'
import type { Aggregate } from '../variables.ts'
import type { Periods } from './periods.ts'

/** The share of a step that must be known for its mean or sum to count. */
const leastShare = 0.8
const dayMs = 86_400_000
/** How long a `last` value holds after the end of its own interval: over weekends and holidays. */
const holdMs = 7 * dayMs
const clockChangeMs = 2 * 3_600_000

/**
 * The variable at each step of the series; NaN: not known. `observations` has one row per valid time, in order. A step
 * weighs the intervals that it overlaps by the overlap, which covers down-sampling and up-sampling alike:
 * - mean: the mean of the known part, if that is at least 80 % of the step;
 * - sum: steps share an interval's amount in proportion; if at least 80 % of a step is known, the rest is extrapolated;
 * - count: the sum of the intervals that begin in the step; steps inside an interval repeat its value;
 * - max: the largest value that overlaps;
 * - last: the last value that begins before the step's end, for at most 7 days after its own interval.
 */
export function align (observations: Observations, periods: Periods, aggregate: Aggregate): Float64Array {
  const { startsMs, endsMs } = periods
  const aligned = new Float64Array(startsMs.length).fill(NaN)
  const { validTimeMs, values } = known(observations)
  const endAt = endsOf(validTimeMs, observations.frequency)
  let first = 0
  for (let step = 0; step < aligned.length; step++) {
    const start = startsMs[step] as number
    const end = endsMs[step] as number
    while (first < values.length && endAt(first) <= start) first++
    if (aggregate === 'last') aligned[step] = lastBefore(first, end, start)
    else if (isOne(first, start, end)) aligned[step] = values[first] as number
    else aligned[step] = ofOverlaps(first, start, end)
  }
  return aligned

  /** Most steps equal one interval, and every aggregate is exactly its value then. */
  function isOne (row: number, start: number, end: number): boolean {
    return validTimeMs[row] === start && endAt(row) === end
  }

  function lastBefore (from: number, end: number, start: number): number {
    let row = from
    while (row < values.length && (validTimeMs[row] as number) < end) row++
    if (row === 0) return NaN
    return endAt(row - 1) + holdMs > start ? values[row - 1] as number : NaN
  }

  function ofOverlaps (from: number, start: number, end: number): number {
    let overlaps = 0
    let covered = 0
    let weighted = 0
    let amount = 0
    let largest = -Infinity
    let begun = NaN
    let held = NaN
    for (let row = from; row < values.length && (validTimeMs[row] as number) < end; row++) {
      const begin = validTimeMs[row] as number
      const until = endAt(row)
      const value = values[row] as number
      const overlap = Math.min(end, until) - Math.max(start, begin)
      overlaps++
      covered += overlap
      weighted += value * overlap
      amount += value * overlap / (until - begin)
      largest = Math.max(largest, value)
      if (begin >= start) begun = (Number.isNaN(begun) ? 0 : begun) + value
      else held = value
    }
    const share = covered / (end - start)
    if (share === 0) return NaN
    if (aggregate === 'max') return largest
    if (share < leastShare) return NaN
    // With one interval this is exactly its value.
    if (aggregate === 'mean') return overlaps === 1 ? values[from] as number : weighted / covered
    if (aggregate === 'sum') return amount / share
    // A step inside an interval repeats its value; a longer step counts the intervals that begin in it.
    return Number.isNaN(begun) ? held : begun
  }
}

/**
 * The end of a row's interval. The row ends where the next one begins, if that is earlier than its own end, or later by
 * no more than a clock change moves a day.
 */
function endsOf (validTimeMs: Float64Array, frequency: Frequency): (row: number) => number {
  const last = validTimeMs.length - 1
  const isOfDays = periodEnd(0, frequency) >= dayMs
  return (row) => {
    const end = periodEnd(validTimeMs[row] as number, frequency)
    if (row === last) return end
    const next = validTimeMs[row + 1] as number
    return next < end || (isOfDays && next <= end + clockChangeMs) ? next : end
  }
}

/** Drops the rows that have no value. */
function known ({ validTimeMs, values }: Observations): { validTimeMs: Float64Array, values: Float64Array } {
  const times = new Float64Array(values.length)
  const kept = new Float64Array(values.length)
  let count = 0
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number
    if (Number.isNaN(value)) continue
    times[count] = validTimeMs[row] as number
    kept[count] = value
    count++
  }
  return { validTimeMs: times.subarray(0, count), values: kept.subarray(0, count) }
}
