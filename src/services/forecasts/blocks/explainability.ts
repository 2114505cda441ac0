import { Type, type Static } from 'typebox'
import { closedObject } from '../../../platform/closed-object.ts'

/** Defaults of fields that are left out, or that no requested analysis uses. */
export const explainabilityDefaults = { maxRows: 5000, maxFeatures: 25, topKFeatures: 15, shapSampleSize: 512 } as const

/** The engine counts up to here, and no table has more. */
const mostOfAnything = 2 ** 31 - 1

const analysis = (description: string) => Type.Boolean({ default: true, description })

export const explainability = closedObject({
  enabled: Type.Boolean({
    default: false,
    description: 'Whether to make analyses and plots after the forecast or the predictions. If false, the other ' +
      'fields have no effect.'
  }),
  feature_importance: analysis('Importance of features, from a model.'),
  shap: analysis('SHAP values of a surrogate model.'),
  feature_feature_correlations: analysis('Correlations between features.'),
  feature_target_correlations: analysis('Correlations between features and the target.'),
  forecast_plot: analysis('Interactive plot of the forecast with the end of the history and prediction intervals.'),
  rolling_regression: analysis(
    'Regressions in rolling windows, which show how importance changes over time. Only if the ' +
      'deployment has enabled them.'
  ),
  trailing_history_steps: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: mostOfAnything }), Type.Null()], {
      description: 'null: min(2 * prediction_length, 120).'
    })
  ),
  max_rows: Type.Integer({
    minimum: 50,
    maximum: mostOfAnything,
    default: explainabilityDefaults.maxRows,
    description: 'An analysis uses at most this many rows.'
  }),
  max_features: Type.Integer({
    minimum: 1,
    maximum: mostOfAnything,
    default: explainabilityDefaults.maxFeatures,
    description: 'An analysis uses at most this many features.'
  }),
  top_k_features: Type.Integer({
    minimum: 1,
    maximum: mostOfAnything,
    default: explainabilityDefaults.topKFeatures,
    description: 'Features that drawings and summaries show, at most.'
  }),
  shap_sample_size: Type.Integer({
    minimum: 25,
    maximum: mostOfAnything,
    default: explainabilityDefaults.shapSampleSize,
    description: 'Rows whose contributions are listed.'
  })
}, { description: 'Analyses and plots of the forecast or the predictions.' })

export type ExplainabilityBlock = Static<typeof explainability>
