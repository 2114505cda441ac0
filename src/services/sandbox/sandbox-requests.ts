import { Type, type Static, type TObject } from 'typebox'
import type { TabularTask } from '../../domain/tabular-spec.ts'
import { explainabilityDefaults, type ExplainabilityBlock } from '../forecasts/blocks/explainability.ts'
import type { PreparationBlock } from '../forecasts/blocks/preparation.ts'
import { forecastOptions, type ForecastRequest } from '../forecasts/forecast-request.ts'
import { sandboxCaps } from '../jobs/tenant-bounds.ts'
import { tabularOptions, type TabularRequest } from '../tables/tabular-request.ts'

/** The fields of all forms of the sandbox. */
export const visitorFields = {
  email: Type.String({
    minLength: 1,
    maxLength: 400,
    description: 'Your e-mail address at a company. Each domain gets one job. Only a digest of the domain is kept.'
  }),
  captcha_token: Type.Optional(Type.String({
    maxLength: 8192,
    description: 'The token for a solved challenge of GET /sandbox/challenge. It works once.'
  }))
}

/** The options of a forecast that the sandbox offers. */
export function sandboxForecastOptions (maxHorizon: number) {
  const of = forecastOptions(Math.min(maxHorizon, sandboxCaps.horizon))
  return {
    prediction_length: of.prediction_length,
    presets: Type.Enum(['fast'], { default: 'fast', description: 'The sandbox only has the fastest preset.' }),
    item_id_column: of.item_id_column,
    one_series: Type.Boolean({
      default: false,
      description: 'Whether all rows are one series, without a column that names it.'
    }),
    timestamp_column: of.timestamp_column,
    target_column: of.target_column,
    freq: of.freq,
    quantile_levels: of.quantile_levels,
    sheet_name: of.sheet_name
  }
}

export function sandboxTabularOptions (task: TabularTask) {
  const { explainability: _block, callback_url: _url, name: _name, metadata: _metadata, ...options } = tabularOptions(
    task
  )
  return options
}

/** The page shows the plot, which is cheap. */
const plot: ExplainabilityBlock = {
  enabled: true,
  forecast_plot: true,
  feature_importance: false,
  shap: false,
  feature_feature_correlations: false,
  feature_target_correlations: false,
  rolling_regression: false,
  trailing_history_steps: null,
  max_rows: explainabilityDefaults.maxRows,
  max_features: explainabilityDefaults.maxFeatures,
  top_k_features: explainabilityDefaults.topKFeatures,
  shap_sample_size: explainabilityDefaults.shapSampleSize
}

type SandboxForecast = Static<TObject<ReturnType<typeof sandboxForecastOptions>>>
type SandboxTable = Static<TObject<ReturnType<typeof sandboxTabularOptions>>>

/** Uses the rows as they are, as one series. */
const oneSeries: PreparationBlock = {
  filters: [],
  series_columns: [],
  aggregate: 'sum',
  missing: 'none',
  anomalies: 'none'
}

export function asForecastRequest ({ one_series: isOne, ...options }: SandboxForecast): ForecastRequest {
  return { ...options, ...(isOne ? { preparation: oneSeries } : {}), explainability: plot }
}

export function asTabularRequest (options: SandboxTable): TabularRequest {
  return options
}
