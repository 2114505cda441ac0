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
    description:
      'Generate analyses and plots after forecasting, or after the predictions of a table; the other fields do ' +
      'nothing without it.'
  }),
  feature_importance: analysis('Model-based importance where supported.'),
  shap: analysis('Surrogate SHAP artifacts.'),
  feature_feature_correlations: analysis('Correlations between features.'),
  feature_target_correlations: analysis('Correlations between features and target.'),
  forecast_plot: analysis('Interactive plot with trailing history and uncertainty bands.'),
  rolling_regression: analysis(
    'Rolling-window regression for importance that varies in time; made where the deployment has switched it on.'
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
    description: 'Rows that an analysis looks at, at most.'
  }),
  max_features: Type.Integer({
    minimum: 1,
    maximum: mostOfAnything,
    default: explainabilityDefaults.maxFeatures,
    description: 'Features that an analysis looks at, at most.'
  }),
  top_k_features: Type.Integer({
    minimum: 1,
    maximum: mostOfAnything,
    default: explainabilityDefaults.topKFeatures,
    description: 'Features that drawings and summaries show.'
  }),
  shap_sample_size: Type.Integer({
    minimum: 25,
    maximum: mostOfAnything,
    default: explainabilityDefaults.shapSampleSize,
    description: 'Rows whose contributions are told.'
  })
}, { description: 'Analyses and plots that are made after the forecast or the predictions.' })

export type ExplainabilityBlock = Static<typeof explainability>
