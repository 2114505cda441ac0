/**
 * What the engine finds in a file that nobody has said anything about yet: which columns there are, which of them look
 * like the time, the target and the series, and what the series are like. Names and values are the customer's own;
 * everything else is the same for the same bytes.
 */
export interface DataProfile {
  /** In the order of the file. */
  columns: ProfiledColumn[]
  roles: ProfiledRoles
  /** null: one of time and target was not found, or no row could be read with them; `unreadable` says which. */
  series: SeriesProfile | null
  /** Why there are no series, in words for the sender; null where there are. */
  unreadable: string | null
}

export interface ProfiledColumn {
  name: string
  kind: 'timestamp' | 'number' | 'boolean' | 'text' | 'empty' | 'other'
  /** Cells without a value. */
  nulls: number
  /** Distinct values; counted to 10,000, which then stands for more. */
  distinct: number
  /**
   * The most frequent values of a column with up to 1,000 of them, at most 200 of up to 100 bytes each, most frequent
   * first, equal ones in the order of the file. Tables with so many columns that they would not fit into a message have
   * fewer.
   */
  values: string[]
  /** Of numbers. */
  min: number | null
  max: number | null
  /** Whether each series has one value of it. */
  isStatic: boolean
  /** Whether there are rows behind the last target and all of them have a value of it. */
  isKnownAhead: boolean
}

export interface ProfiledRoles {
  timestamp: string | null
  target: string | null
  /** null: the file is one series, or several columns together name its series (`hierarchyColumns`). */
  itemId: string | null
  /** Other columns that may be the target, best first. */
  otherTargets: string[]
  /** Other columns of timestamps. */
  otherTimestamps: string[]
}

export interface SeriesProfile {
  /** Data rows of the file. */
  totalRows: number
  /** Series with a row that can be read. */
  numItems: number
  /** Rows of a series up to its last target; those with the same time count once. */
  minLength: number
  maxLength: number
  avgLength: number
  /** Canonical pandas alias; null: irregular. */
  freq: string | null
  /** Share of the steps between the first and the last observation of each series that have no value. */
  missingness: number
  /** Steps that series begin after the first, and end before the last, time of all; the most of any series. */
  leadingGap: number
  trailingGap: number
  hasNegatives: boolean
  /** Whether values fall on Saturdays, and on Sundays. */
  coversWeekends: boolean
  min: number
  max: number
  /** Season lengths in steps that the values bear out, strongest first. */
  seasonality: number[]
  /** Columns that move with the target, strongest first. */
  suspectedCovariates: string[]
  /**
   * Columns whose values nest, from the coarsest to the item id, or to the columns that together name the series;
   * empty: no hierarchy.
   */
  hierarchyColumns: string[]
  /** RFC 3339, UTC: the first and the last time with a target. */
  start: string
  end: string
  /** Rows behind the last target of their series. */
  futureRows: number
  /** Of the series with the fewest. */
  leastFutureRows: number
}
