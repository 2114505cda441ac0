import type { JobWarning } from './job-result.ts'

/** All that an inspection found in a dataset, instead of the first thing that is wrong with it. */
export interface DatasetInspection {
  /** Data rows read; null here and in the next five fields: a column that is needed is missing. */
  rowCount: number | null
  numItems: number | null
  minLength: number | null
  maxLength: number | null
  /** RFC 3339, UTC. */
  start: string | null
  end: string | null
  /**
   * All columns of the file. The type is what the first 100,000 cells have in common, and nulls are counted among them.
   */
  columns: Array<{ name: string, type: ColumnType, nulls: number }>
  /** Canonical alias; a frequency that was given, as the data has it. */
  inferredFrequency: string | null
  /** In the order of `CheckName`; a check that could not be made is not among them. */
  checks: DatasetCheck[]
  warnings: JobWarning[]
  /** Rows behind `rowCount` were not looked at. */
  truncated: boolean
  /** SHA-256 of the sorted names and types of the columns, in hexadecimal. */
  schemaFingerprint: string
}

export type ColumnType = 'timestamp' | 'number' | 'boolean' | 'text' | 'empty' | 'other'

export type CheckName = 'required_columns' | 'nulls' | 'numeric_target' | 'duplicates' | 'timestamps' | 'min_history'
  | 'frequency' | 'volume'

export interface DatasetCheck {
  check: CheckName
  status: 'passed' | 'warning' | 'failed'
  /** Rows, items, gaps or columns concerned. */
  count: number
  /** The first five data rows concerned, from 1, where rows are known. */
  sampleRows: number[]
  message: string
}
