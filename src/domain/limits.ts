export type { TableLimits } from './engine-documents.ts'

/** Levels of a hierarchy below its total: columns, or parts of an item id. `crates/forecast` has the same bound. */
export const maxHierarchyLevels = 20

/** Caps on what a forecast may give, known before it is made. */
export interface OutputLimits {
  /** Horizon times series, the aggregates of a hierarchy included. */
  maxForecastPoints: number
  /** Of the forecast table as CSV, reckoned from the lengths of the item ids. */
  maxOutputBytes: number
}
