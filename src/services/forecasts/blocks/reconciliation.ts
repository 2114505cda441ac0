import { Type, type Static } from 'typebox'
import type { ReconciliationMethod, ReconciliationWeights, TopDownMethod } from '../../../domain/forecast-spec.ts'
import { maxHierarchyLevels } from '../../../domain/limits.ts'
import { closedObject } from '../../../platform/closed-object.ts'

const methods = ['bottom_up', 'top_down', 'min_trace'] as const satisfies readonly ReconciliationMethod[]
const weights = ['ols', 'wls_struct', 'wls_var', 'shrink'] as const satisfies readonly ReconciliationWeights[]
const topDownMethods = [
  'proportions_of_historical_totals',
  'average_historical_proportions',
  'forecast_proportions'
] as const satisfies readonly TopDownMethod[]

/** Defaults of fields that are left out, or that the method does not use. */
export const reconciliationDefaults = {
  method: 'min_trace',
  weights: 'wls_struct',
  topDownMethod: 'proportions_of_historical_totals',
  separator: '/',
  totalLabel: 'total',
  residualWindows: 1
} as const

/** The separator and the label become part of item ids, where a control character would be invisible. */
const visible = '^[^\\x00-\\x1f\\x7f-\\x9f]*$'

export const reconciliation = closedObject({
  enabled: Type.Boolean({ default: false }),
  hierarchy_columns: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    default: [],
    maxItems: maxHierarchyLevels,
    uniqueItems: true,
    description:
      'Columns of the hierarchy, from top to bottom. Their values, joined by the separator, are the id of a bottom ' +
      'series, so the item id column may be missing. Left out or empty: item ids are split at the separator.'
  }),
  method: Type.Enum(methods, {
    default: reconciliationDefaults.method,
    description: 'How the forecasts of all nodes are made coherent.'
  }),
  weights: Type.Enum(weights, {
    default: reconciliationDefaults.weights,
    description:
      'How min_trace estimates the error variance of a node. ols: all equal. wls_struct: by its number of series. ' +
      'wls_var and shrink: from a backtest. Other methods ignore it.'
  }),
  top_down_method: Type.Enum(topDownMethods, {
    default: reconciliationDefaults.topDownMethod,
    description: 'How top_down divides a total. Other methods ignore it.'
  }),
  separator: Type.String({
    minLength: 1,
    maxLength: 16,
    pattern: visible,
    default: reconciliationDefaults.separator,
    description: 'Joins the values of the hierarchy columns to the id of a series. No value may contain it. At ' +
      'most 16 characters.'
  }),
  total_label: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: visible,
    default: reconciliationDefaults.totalLabel,
    description: 'Item id of the grand total; no other series may have it. At most 200 characters.'
  }),
  residual_windows: Type.Integer({
    minimum: 1,
    maximum: 5,
    default: reconciliationDefaults.residualWindows,
    description: 'Backtest windows for wls_var and shrink. Each costs one more forecast.'
  })
}, {
  description:
    'Makes the forecasts of a hierarchy add up. Every parent is forecast too, and is the sum of its children.'
})

export type ReconciliationBlock = Static<typeof reconciliation>
