import type { FieldError } from '../../domain/error-codes.ts'
import type { HierarchyColumns, ReconciliationSpec } from '../../domain/forecast-spec.ts'
import { reconciliationDefaults as defaults, type ReconciliationBlock } from './blocks/reconciliation.ts'

/**
 * undefined when not enabled. A field that the method ignores gets its default, so that equivalent requests have one
 * hash.
 */
export function resolveReconciliation (block: ReconciliationBlock | null | undefined): ReconciliationSpec | undefined {
  if (block?.enabled !== true) return undefined
  const { method } = block
  const weights = method === 'min_trace' ? block.weights : defaults.weights
  return {
    hierarchyColumns: block.hierarchy_columns,
    method,
    weights,
    topDownMethod: method === 'top_down' ? block.top_down_method : defaults.topDownMethod,
    separator: block.separator,
    totalLabel: block.total_label,
    residualWindows: weights === 'wls_var' || weights === 'shrink' ? block.residual_windows : defaults.residualWindows
  }
}

/** The columns by which a reader finds the series of a hierarchy; undefined when item ids alone are enough. */
export function hierarchyOf (spec: ReconciliationSpec | undefined): HierarchyColumns | undefined {
  if (spec === undefined || spec.hierarchyColumns.length === 0) return undefined
  return { columns: spec.hierarchyColumns, separator: spec.separator, totalLabel: spec.totalLabel }
}

/** The item id column may be a level of the hierarchy. The timestamp, target and covariates cannot. */
export function hierarchyClashes (spec: ReconciliationSpec | undefined, taken: readonly string[]): FieldError[] {
  const error = 'a hierarchy column cannot be the timestamp, the target or a covariate as well'
  return (spec?.hierarchyColumns ?? []).filter((name) => taken.includes(name)).map((name) => ({
    loc: ['body', 'reconciliation', 'hierarchy_columns'],
    msg: error,
    type: 'value_error',
    input: name,
    ctx: { error }
  }))
}
