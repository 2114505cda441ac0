import type { AnalysesDocument, RowName } from './analyses-document.ts'
import { timeText } from './figure-text.ts'
import { inQuotes } from './quotes.ts'

/** What analyses are of, in words. */
export interface Subject {
  isTable: boolean
  /** The column. */
  target: string
  /** What the rows have: a forecast or a prediction, and several of them. */
  result: 'forecast' | 'prediction'
  results: 'forecasts' | 'predictions'
  title: 'Forecast' | 'Prediction'
  /** What importance and contributions explain, after `of`. */
  explained: string
  /** In which units contributions are, after `in units of`. */
  unit: string
  /** Rows on which a surrogate is judged. */
  heldOut: 'held-out origins' | 'held-out rows'
}

/** A forecast of a column, or predictions of the rows of a table; where it has classes, of the probability of one. */
export function subjectOf (document: Pick<AnalysesDocument, 'subject' | 'target' | 'class'>): Subject {
  const { subject, target, class: named } = document
  if (subject !== 'table') {
    const words = { result: 'forecast', results: 'forecasts', title: 'Forecast', explained: 'the forecast' } as const
    return { isTable: false, target, ...words, unit: target, heldOut: 'held-out origins' }
  }
  const words = { result: 'prediction', results: 'predictions', title: 'Prediction', heldOut: 'held-out rows' } as const
  return named === undefined
    ? { isTable: true, target, ...words, explained: 'the prediction', unit: target }
    : { isTable: true, target, ...words, explained: `the probability of ${inQuotes(named)}`, unit: 'probability' }
}

/** The row that a prediction is of, as cells of a table. */
export function rowCells (row: RowName): string[] {
  return 'row_index' in row ? [String(row.row_index)] : [row.item_id, timeText(row.timestamp)]
}

export const rowHead = (subject: Subject): string[] => subject.isTable ? ['Row'] : ['Series', 'Time']

/** The same in a sentence. */
export function rowText (row: RowName): string {
  return 'row_index' in row ? `row ${row.row_index}` : `${inQuotes(row.item_id)}, ${timeText(row.timestamp)}`
}
