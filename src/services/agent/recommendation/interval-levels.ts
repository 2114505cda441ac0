/** More intervals do not fit into the field of a request. */
const maxIntervals = 10

/**
 * The quantile levels in the form of a request: the ends of the intervals, and the median; null: the defaults.
 * `intervals` are shares of the outcomes.
 */
export function intervalLevels (intervals: readonly number[]): string | null {
  if (intervals.length === 0) return null
  const levels = intervals.slice(0, maxIntervals).flatMap((share) => [(1 - share) / 2, (1 + share) / 2])
  const rounded = new Set([...levels, 0.5].map((level) => Math.round(level * 1e6) / 1e6))
  return JSON.stringify([...rounded].filter((level) => level > 0 && level < 1).sort((left, right) => left - right))
}
