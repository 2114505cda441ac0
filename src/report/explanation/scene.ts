import { certaintyOf, type Certainty } from './certainty.ts'
import type { Drivers, ExplanationInput, Findings, SeriesFindings } from './findings.ts'
import { count, named, type Part } from './sentence.ts'
import { TimeWords } from './time-words.ts'

/** The subject of the sentences, and its name. */
export interface Scene {
  findings: Findings
  /** The only series, or the sum of several; null if the series have no sum. */
  main: SeriesFindings | null
  /** `“sales” of “A12”`, `total “sales”`. */
  subject: Part
  isPanel: boolean
  /** Series of the job; the findings may cover only the largest ones. */
  seriesInAll: number
  certainty: Certainty
  drivers: Drivers | null
  /** In the unit of the target; null: there is no hierarchy. */
  incoherence: number | null
  time: TimeWords
}

export function sceneOf (
  { findings, target, frequency, dates, totalSeries = 0, drivers, incoherence }: ExplanationInput
): Scene {
  const { single, total, item, series } = findings
  const isPanel = single === null
  const seriesInAll = Math.max(series + findings.empty + (findings.beyond ?? 0), totalSeries)
  const column = named('target', target)
  // The name must say if the sum covers only some of the series.
  const isPartial = total !== null && total.series < Math.max(series, totalSeries)
  const sum: Part = isPartial
    ? ['total ', column, ' (', count('total_series', total.series), ' series)']
    : ['total ', column]
  const one: Part = item === null || item.trim() === '' ? column : [column, ' of ', named('item', item)]
  return {
    findings,
    main: single ?? total?.findings ?? null,
    subject: isPanel ? sum : one,
    isPanel,
    seriesInAll,
    certainty: certaintyOf(isPanel ? findings.accuracy : single.accuracy),
    drivers: drivers ?? null,
    incoherence: incoherence ?? null,
    time: new TimeWords(frequency, dates)
  }
}
