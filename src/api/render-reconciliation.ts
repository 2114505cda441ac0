import type { Static } from 'typebox'
import type { ReconciliationSpec } from '../domain/forecast-spec.ts'
import type { ReconciliationSummary } from '../domain/reconciliation-summary.ts'
import type { reconciliationConfig, reconciliationStatus } from './schemas/reconciliation-status.ts'

/** The result of a reconciliation, as a job shows it. */
export function renderReconciliation (summary: ReconciliationSummary): Static<typeof reconciliationStatus> {
  return {
    enabled: true,
    method: summary.method,
    weights: summary.weights ?? null,
    top_down_method: summary.topDownMethod ?? null,
    levels: summary.levels.map(({ name, numNodes }) => ({ name, num_nodes: numNodes })),
    num_series: summary.numSeries,
    num_bottom: summary.numBottom,
    total_label: summary.totalLabel,
    separator: summary.separator,
    residual_windows_used: summary.residualWindowsUsed,
    shrinkage: summary.shrinkage ?? null,
    max_incoherence_before: summary.maxIncoherenceBefore,
    max_incoherence_after: summary.maxIncoherenceAfter,
    fallback: summary.fallback ?? null,
    warnings: summary.warnings
  }
}

/** The specification in the form of a request's block. */
export function renderReconciliationConfig (spec: ReconciliationSpec): Static<typeof reconciliationConfig> {
  return {
    enabled: true,
    hierarchy_columns: spec.hierarchyColumns,
    method: spec.method,
    weights: spec.weights,
    top_down_method: spec.topDownMethod,
    separator: spec.separator,
    total_label: spec.totalLabel,
    residual_windows: spec.residualWindows
  }
}
