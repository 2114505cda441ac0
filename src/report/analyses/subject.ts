import type { AnalysesDocument, RowName } from './analyses-document.ts'
import { timeText } from './figure-text.ts'
import { inQuotes } from './quotes.ts'

/** The subject of the analyses, in words. */
export interface Subject {
  isTable: boolean
  /** The name of the column. */
  target: string
  /** The word for the result, a forecast or a prediction. */
  result: 'forecast' | 'prediction'
  results: 'forecasts' | 'predictions'
  title: 'Forecast' | 'Prediction'
  /** The thing that importance and contributions explain; follows `of`. */
  explained: string
  /** The unit of contributions; follows `in units of`. */
  unit: string
  /** The rows on which a surrogate is judged. */
  heldOut: 'held-out origins' | 'held-out rows'
}

/**
 * A forecast of a column, or predictions for the rows of a table. If the table has classes, the probability of one
 * class is explained.
 */
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

/** The row of a prediction, as table cells. */
export function rowCells (row: RowName): string[] {
  return 'row_index' in row ? [String(row.row_index)] : [row.item_id, timeText(row.timestamp)]
}

export const rowHead = (subject: Subject): string[] => subject.isTable ? ['Row'] : ['Series', 'Time']

/** The row of a prediction, for a sentence. */
export function rowText (row: RowName): string {
  return 'row_index' in row ? `row ${row.row_index}` : `${inQuotes(row.item_id)}, ${timeText(row.timestamp)}`
}
