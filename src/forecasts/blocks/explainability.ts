import { Type } from 'typebox'
import { closedObject } from '../closed-object.ts'

const analysis = (description: string) => Type.Boolean({ default: true, description })

export const explainability = closedObject({
  enabled: Type.Boolean({ default: false, description: 'Generate analyses and plots after forecasting.' }),
  feature_importance: analysis('Model-based importance where supported.'),
  shap: analysis('Surrogate SHAP artifacts.'),
  feature_feature_correlations: analysis('Correlations between features.'),
  feature_target_correlations: analysis('Correlations between features and target.'),
  forecast_plot: analysis('Interactive plot with trailing history and uncertainty bands.'),
  rolling_regression: analysis('Rolling-window regression for importance that varies in time.'),
  trailing_history_steps: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'null: min(2 * prediction_length, 120).' })),
  max_rows: Type.Integer({ minimum: 50, default: 5000 }),
  max_features: Type.Integer({ minimum: 1, default: 25 }),
  top_k_features: Type.Integer({ minimum: 1, default: 15 }),
  shap_sample_size: Type.Integer({ minimum: 25, default: 512 })
})
