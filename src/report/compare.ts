import { measureOf } from './metric-names.ts'
import type { ReportMetric } from './tabular-report.ts'

/** How a model stands against another one by a measure. */
export type Standing = 'better' | 'alike' | 'worse'

/** From fewer rows nobody can say that a model is better, whatever the interval. */
export const fewestRowsToBeBetter = 20

/**
 * `better` and `worse` only where the other model's figure lies outside the model's own interval: the rows could as
 * well have been others. Without an interval any difference counts. `rows`: how many were evaluated; `better` takes 20.
 * undefined: there is nothing to compare.
 */
export function compare (metric: ReportMetric, other: 'baseline' | 'linear', rows: number): Standing | undefined {
  const measure = measureOf(metric.name)
  const theirs = metric[other]
  if (metric.value === null || theirs === null || measure === undefined || measure.better === null) return undefined
  const low = metric.low ?? metric.value
  const high = metric.high ?? metric.value
  if (theirs >= low && theirs <= high) return 'alike'
  const isBetter = (measure.better === 'higher') === (theirs < low)
  if (isBetter) return rows < fewestRowsToBeBetter ? 'alike' : 'better'
  return 'worse'
}

/** The measure that the words are about: what people know first, else what was optimised. */
export function mainMetric (metrics: readonly ReportMetric[], names: readonly string[]): ReportMetric | undefined {
  for (const name of names) {
    const found = metrics.find((metric) => metric.name === name && metric.value !== null)
    if (found !== undefined) return found
  }
  return metrics.find(({ value }) => value !== null)
}
