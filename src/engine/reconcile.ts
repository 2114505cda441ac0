import * as native from '#native'
import { unwrap } from './unwrap.ts'

/** How forecasts are made to add up, with what it goes by. */
export type ReconcileMethod =
  | { name: 'bottom_up' | 'ols' | 'wls_struct' }
  /** A share for each leaf, of any scale. */
  | { name: 'top_down' | 'forecast_proportions', shares: Float64Array }
  /** Variance of the base errors of each node. */
  | { name: 'wls_var', variances: Float64Array }
  /** Base errors, as many for each node, node by node; NaN where one is missing. */
  | { name: 'shrink', residuals: Float64Array }

/** A tree of sums and forecasts of all its nodes; the arrays stay as they are until the call has ended. */
export interface ReconcileOptions {
  /** For each node the number of its parent, which stands before it; -1 for the root, node 0. */
  parents: Int32Array
  /** Nodes x steps, node by node. */
  base: Float64Array
  steps: number
  method: ReconcileMethod
  /** No forecast may come out below zero. */
  nonNegative: boolean
}

export interface ReconciledForecasts {
  /** Nodes x steps, node by node. */
  values: Float64Array
  /** Largest distance between a parent and the sum of its children; `after` it is a rounding error. */
  maxIncoherenceBefore: number
  maxIncoherenceAfter: number
  /** Intensity of the shrinkage, 0 to 1; null without `shrink`. */
  shrinkage: number | null
}

/** Makes forecasts of all nodes of a tree add up, in time linear in nodes and steps; throws `EngineError` for arrays that do not fit. */
export async function reconcile ({ method, ...rest }: ReconcileOptions): Promise<ReconciledForecasts> {
  const known = knownOf(method)
  const { shrinkage, ...reconciled } = unwrap(await native.reconcile({ ...rest, method: method.name, ...(known === undefined ? {} : { known }) }))
  return { ...reconciled, shrinkage: shrinkage ?? null }
}

function knownOf (method: ReconcileMethod): Float64Array | undefined {
  switch (method.name) {
    case 'top_down':
    case 'forecast_proportions': return method.shares
    case 'wls_var': return method.variances
    case 'shrink': return method.residuals
    default: return undefined
  }
}
