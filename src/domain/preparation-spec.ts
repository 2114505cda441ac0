import type { PreparationSummary, RowFilter } from './engine-documents.ts'
import type { AnomalyHandling, MissingDataHandling } from './intent-values.ts'

export type { PreparedAnomaly, RowFilter } from './engine-documents.ts'

export const aggregates = ['sum', 'mean', 'max', 'min'] as const
export type Aggregate = typeof aggregates[number]
/** The words for sentences. */
export const aggregateNouns: Readonly<Record<Aggregate, string>> = {
  sum: 'sum',
  mean: 'mean',
  max: 'maximum',
  min: 'minimum'
}

/**
 * How the rows of a dataset are prepared before the forecast, in this order: filters, series and steps, anomalies,
 * missing steps.
 */
export interface PreparationSpec {
  /** A row is used only if all filters match. */
  filters: RowFilter[]
  /**
   * Columns whose values together name a series in place of the item id; empty: all rows are one series. Absent: the
   * item id column names it.
   */
  seriesColumns?: string[]
  /**
   * Canonical alias of the steps that rows are combined into. null: rows keep their times, and rows of one series with
   * equal times are combined only if `seriesColumns` is given.
   */
  step: string | null
  /** How the targets of one series and step are combined. */
  aggregate: Aggregate
  /**
   * How the targets of one series and time are combined before that. Absent in messages of earlier releases, which had
   * no choice: the same as `aggregate`.
   */
  across?: Aggregate
  missing: MissingDataHandling
  anomalies: AnomalyHandling
}

/** What was done with the rows; `rowsCombinedAcross` is absent if an older worker did it. */
export type PreparationReport = Omit<PreparationSummary, 'warnings' | 'rowsCombinedAcross'> & Partial<
  Pick<PreparationSummary, 'rowsCombinedAcross'>
>
