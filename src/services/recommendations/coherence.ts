import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import { type ReconciliationBlock, reconciliationDefaults as defaults } from '../forecasts/blocks/reconciliation.ts'
import type { SeriesNames } from './recommendation.ts'

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

/** The constraint that asks for coherent forecasts, such as `reconciliation bottom_up`; undefined: there is none. */
export function coherenceWish (
  { user_constraints: constraints }: Pick<ForecastIntent, 'user_constraints'>
): string | undefined {
  const wishes = constraints.filter((constraint) => /^reconciliation\b/.test(constraint))
  // A constraint that names a method takes precedence.
  return wishes.find((wish) => wish.includes(' ')) ?? wishes[0]
}
