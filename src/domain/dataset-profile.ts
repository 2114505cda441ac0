export interface DatasetProfile {
  rows: number
  series: number
  minLength: number
  maxLength: number
  /** Canonical alias. */
  freq: string
}
