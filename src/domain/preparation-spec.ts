import type { PreparationSummary, RowFilter } from './engine-documents.ts'
import type { AnomalyHandling, MissingDataHandling } from './intent-values.ts'

export type { PreparedAnomaly, RowFilter } from './engine-documents.ts'

export const aggregates = ['sum', 'mean', 'max', 'min'] as const
export type Aggregate = typeof aggregates[number]
/** As sentences have them. */
export const aggregateNouns: Readonly<Record<Aggregate, string>> = {
  sum: 'sum',
  mean: 'mean',
  max: 'maximum',
  min: 'minimum'
}

/**
 * What happens to the rows of a dataset before it is forecast, in this order: filters, series and steps, anomalies,
 * missing steps.
 */
export interface PreparationSpec {
  /** Rows are used for which all of them hold. */
  filters: RowFilter[]
  /**
   * Columns whose values together name a series in place of the item id; empty: all rows are one series. Absent: the
   * item id column names it.
   */
  seriesColumns?: string[]
  /**
   * Canonical frequency alias of the steps that rows are combined into; null: rows keep their times, and those with
   * equal times of a series are combined only where `seriesColumns` is given.
   */
  step: string | null
  /** How targets of one series and step become one. */
  aggregate: Aggregate
  /**
   * How targets of one series and time become one before that. Absent, as in messages of before there was a choice: as
   * `aggregate`.
   */
  across?: Aggregate
  missing: MissingDataHandling
  anomalies: AnomalyHandling
}

/** What was done with the rows; `rowsCombinedAcross` is absent where an older worker did it. */
export type PreparationReport = Omit<PreparationSummary, 'warnings' | 'rowsCombinedAcross'> & Partial<
  Pick<PreparationSummary, 'rowsCombinedAcross'>
>
