import { certaintyOf, type Certainty } from './certainty.ts'
import type { ExplanationInput, Findings, SeriesFindings } from './findings.ts'
import { count, named, type Part } from './sentence.ts'
import { TimeWords } from './time-words.ts'

/** What sentences are about, and how it is called. */
export interface Scene {
  findings: Findings
  /** The only series, or the sum of several; null where the series have no sum. */
  main: SeriesFindings | null
  /** `“sales” of “A12”`, `total “sales”`. */
  subject: Part
  isPanel: boolean
  certainty: Certainty
  time: TimeWords
}

export function sceneOf ({ findings, target, frequency, dates }: ExplanationInput): Scene {
  const { single, total, item, series } = findings
  const isPanel = single === null
  const column = named('target', target)
  // A sum of part of the series is called so.
  const isPartial = total !== null && total.series < series
  const sum: Part = isPartial ? ['total ', column, ' (', count('total_series', total.series), ' series)'] : ['total ', column]
  const one: Part = item === null || item.trim() === '' ? column : [column, ' of ', named('item', item)]
  return {
    findings,
    main: single ?? total?.findings ?? null,
    subject: isPanel ? sum : one,
    isPanel,
    certainty: certaintyOf(isPanel ? findings.accuracy : single.accuracy),
    time: new TimeWords(frequency, dates)
  }
}
