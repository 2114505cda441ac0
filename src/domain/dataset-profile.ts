export interface DatasetProfile {
  rows: number
  series: number
  minLength: number
  maxLength: number
  /** Canonical alias. */
  freq: string
  /**
   * Sums and series of a hierarchy, which are all forecast. Absent: there is none, or a worker of an earlier build read
   * it.
   */
  nodes?: number
}
