export type { TableLimits } from './engine-documents.ts'

/** Levels of a hierarchy below its total: columns, or parts of an item id. `crates/forecast` has the same limit. */
export const maxHierarchyLevels = 20

/** Limits on the output of a forecast, checked before it is made. */
export interface OutputLimits {
  /** Horizon times the number of series, the aggregates of a hierarchy included. */
  maxForecastPoints: number
  /** Bytes of the forecast table as CSV, estimated from the lengths of the item ids. */
  maxOutputBytes: number
}
