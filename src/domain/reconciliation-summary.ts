import type { ReconciliationMethod, ReconciliationWeights, TopDownMethod } from './forecast-spec.ts'

/** What a reconciliation did. */
export interface ReconciliationSummary {
  /** As it was done in the end: `fallback` says where that is not what was asked for. */
  method: ReconciliationMethod
  /** Only of `min_trace`. */
  weights?: ReconciliationWeights
  /** Only of `top_down`. */
  topDownMethod?: TopDownMethod
  /** From the grand total to the bottom. */
  levels: Array<{ name: string, numNodes: number }>
  /** Nodes of the hierarchy, all of which are in the forecast table. */
  numSeries: number
  numBottom: number
  totalLabel: string
  separator: string
  /** 0: no residuals were used. */
  residualWindowsUsed: number
  /** Intensity of the shrinkage, 0 to 1; only of `shrink`. */
  shrinkage?: number
  /** Largest distance between a parent and the sum of its children, in the base forecasts and in the table. */
  maxIncoherenceBefore: number
  maxIncoherenceAfter: number
  fallback?: { from: string, to: string, reason: string }
  warnings: string[]
}
