import type { AnomalyHandling, FilterOperator, MissingDataHandling } from './intent-values.ts'

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

export interface RowFilter {
  column: string
  op: FilterOperator
  /** Two of `between`, one or more of `in` and `not_in`, else one. */
  values: string[]
}

/** What was done with the rows. */
export interface PreparationReport {
  rowsRead: number
  /** Those for which all filters hold. */
  rowsUsed: number
  /** Of each filter, in their order: `rows` are those for which it is the first that does not hold. */
  filtered: Array<RowFilter & { rows: number }>
  /** Series that the rows of the table belong to, and those that are forecast. */
  seriesBefore: number
  seriesAfter: number
  /** Used rows that became one with an earlier row of their series and step. */
  rowsCombined: number
  /** Of these, the ones of the same time; absent where an older worker did it. */
  rowsCombinedAcross?: number
  /** Periods at the beginning and the end that the data do not cover wholly, 0 to 2; not of means. */
  incompletePeriodsDropped: number
  /** Steps that were given a value, and steps that were left out, over all series. */
  stepsFilled: number
  stepsDropped: number
  anomalies: {
    found: number
    /** Those that have another value now, or none. */
    changed: number
    /** The first 20, by series and time. */
    examples: PreparedAnomaly[]
  }
}

export interface PreparedAnomaly {
  itemId: string
  /** ISO 8601. */
  timestamp: string
  value: number
  /** null: it was not changed, or was removed and not filled. */
  usedInstead: number | null
}
