import { Type } from 'typebox'
import { nullable } from './nullable.ts'

const text = (description: string) => nullable(Type.String(), description)

/** The result of the reconciliation of a completed job. */
export const reconciliationStatus = Type.Object({
  enabled: Type.Boolean(),
  method: Type.String({
    description: 'The method that was used. If it is not the requested one, `fallback` says why.'
  }),
  weights: text('For min_trace.'),
  top_down_method: text('For top_down.'),
  levels: Type.Array(Type.Object({ name: Type.String(), num_nodes: Type.Integer() }), {
    description: 'From the grand total to the bottom.'
  }),
  num_series: Type.Integer({
    description: 'Nodes of the hierarchy. The table has all of them: the grand total first, then level by level.'
  }),
  num_bottom: Type.Integer({ description: 'Series of the dataset.' }),
  total_label: Type.String(),
  separator: Type.String(),
  residual_windows_used: Type.Integer({
    description: 'Backtest windows that the weights come from; 0: they need none.'
  }),
  shrinkage: nullable(Type.Number(), 'For shrink: 0 uses the covariance of the residuals, 1 only their variances.'),
  max_incoherence_before: Type.Number({
    description: 'Largest difference between a parent and the sum of its children, before reconciliation.'
  }),
  max_incoherence_after: Type.Number({ description: 'The same after reconciliation, in the table.' }),
  fallback: nullable(Type.Object({ from: Type.String(), to: Type.String(), reason: Type.String() }),
    'Which method replaced the requested one, and why.'),
  warnings: Type.Array(Type.String())
}, { additionalProperties: true })

/** The block of the request, with its defaults and without fields that the method ignores. */
export const reconciliationConfig = Type.Object({
  enabled: Type.Boolean(),
  hierarchy_columns: Type.Array(Type.String()),
  method: Type.String(),
  weights: Type.String(),
  top_down_method: Type.String(),
  separator: Type.String(),
  total_label: Type.String(),
  residual_windows: Type.Integer()
})
