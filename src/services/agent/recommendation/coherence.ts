import type { ForecastIntent } from '../../../domain/forecast-intent.ts'
import { reconciliationDefaults as defaults, type ReconciliationBlock } from '../../forecasts/blocks/reconciliation.ts'
import { coherenceWish } from './coherence-wish.ts'
import type { SeriesNames } from './series-names.ts'

/** Joins the values of several columns to the id of a series in prepared rows. */
const separator = '::'

/** Chooses the reconciliation; null: the intent does not ask for it, or there is nothing to add up. */
export function coherence (intent: ForecastIntent, names: SeriesNames): ReconciliationBlock | null {
  const wish = coherenceWish(intent)
  if (wish === undefined || 'itemId' in names || names.columns.length === 0) return null
  const method = (['bottom_up', 'top_down', 'min_trace'] as const).find((name) => wish.endsWith(name)) ??
    defaults.method
  return {
    enabled: true,
    hierarchy_columns: [],
    method,
    separator,
    weights: defaults.weights,
    top_down_method: defaults.topDownMethod,
    total_label: defaults.totalLabel,
    residual_windows: defaults.residualWindows
  }
}
