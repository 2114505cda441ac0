import { Type } from 'typebox'
import { closedObject } from '../closed-object.ts'

export const reconciliation = closedObject({
  enabled: Type.Boolean({ default: false }),
  hierarchy_columns: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20, description: 'Grouping columns, top to bottom.' })),
  method: Type.Enum(['bottom_up', 'top_down', 'min_trace'], { default: 'min_trace' }),
  weights: Type.Enum(['ols', 'wls_struct', 'wls_var', 'shrink'], { default: 'wls_struct', description: 'Ignored unless the method is min_trace.' }),
  top_down_method: Type.Enum(
    ['proportions_of_historical_totals', 'average_historical_proportions', 'forecast_proportions'],
    { default: 'proportions_of_historical_totals', description: 'Ignored unless the method is top_down.' }
  ),
  separator: Type.String({ minLength: 1, maxLength: 16, default: '/', description: 'Joins the group names to the id of a series.' }),
  total_label: Type.String({ minLength: 1, maxLength: 200, default: 'total', description: 'Series id of the grand total.' }),
  residual_windows: Type.Integer({ minimum: 1, maximum: 5, default: 1, description: 'Used by wls_var and shrink; each window costs one more forecast.' })
}, { description: 'Makes forecasts coherent across a summation hierarchy.' })
