import { metricOf } from './metric-names.ts'
import type { ReportMetric } from './tabular-report.ts'

/** How a model compares with another one on a metric. */
export type Standing = 'better' | 'alike' | 'worse'

/** With fewer rows nobody can say that a model is better, whatever the interval. */
export const fewestRowsToBeBetter = 20

/**
 * `better` and `worse` only if the other model's figure is outside the model's own interval, because other rows would
 * have given other figures. Without an interval any difference counts. `rows`: how many rows were evaluated. undefined:
 * there is nothing to compare.
 */
export function compare (metric: ReportMetric, other: 'baseline' | 'linear', rows: number): Standing | undefined {
  const text = metricOf(metric.name)
  const theirs = metric[other]
  if (metric.value === null || theirs === null || text === undefined || text.better === null) return undefined
  const low = metric.low ?? metric.value
  const high = metric.high ?? metric.value
  if (theirs >= low && theirs <= high) return 'alike'
  const isBetter = (text.better === 'higher') === (theirs < low)
  if (isBetter) return rows < fewestRowsToBeBetter ? 'alike' : 'better'
  return 'worse'
}

/** The metric that the text is about: the best known one, else the one that was optimised. */
export function mainMetric (metrics: readonly ReportMetric[], names: readonly string[]): ReportMetric | undefined {
  for (const name of names) {
    const found = metrics.find((metric) => metric.name === name && metric.value !== null)
    if (found !== undefined) return found
  }
  return metrics.find(({ value }) => value !== null)
}
