import type { ForecastSpec, TrainingSpec } from '../domain/forecast-spec.ts'
import { presetOf } from '../services/forecasts/use-model.ts'
import type { JobRecord } from '../services/jobs/job-record.ts'
import type { JobProgress } from '../services/jobs/job-service.ts'
import { artifactUrl, summaryName } from '../services/jobs/report-files.ts'
import { renderExplainability, renderExplainabilityConfig, renderExplanation } from './render-explainability.ts'
import { renderExternalCovariates, renderExternalCovariatesConfig } from './render-external-covariates.ts'
import { renderFeatureConfig } from './render-features.ts'
import { renderJobLife } from './render-job-life.ts'
import { renderPreparation, renderPreparationConfig } from './render-preparation.ts'
import { renderReconciliation, renderReconciliationConfig } from './render-reconciliation.ts'
import type { JobResponse } from './schemas/job.ts'

/** A forecast or a training as clients see it. */
export function renderForecastJob (record: JobRecord, spec: ForecastSpec, progress: JobProgress | null): JobResponse {
  return {
    ...renderJobLife(record,
      record.sandbox === undefined ? spec.training === undefined ? 'forecast' : 'fine_tune' : 'sandbox_forecast',
      progress),
    num_items: record.numItems,
    prediction_length: spec.predictionLength,
    external_covariate_metadata: record.externalCovariates === undefined
      ? null
      : renderExternalCovariates(record.externalCovariates),
    explainability: spec.explainability === undefined ? null : renderExplainability(record, spec.explainability),
    explainability_url: artifactUrl(record, summaryName),
    forecast_plot_url: artifactUrl(record, 'forecast_plot.html'),
    preparation: record.preparation === undefined ? null : renderPreparation(record.preparation),
    reconciliation: record.reconciliation === undefined ? null : renderReconciliation(record.reconciliation),
    explanation: record.explanation === undefined ? null : renderExplanation(record.explanation),
    delivery_status: record.delivery?.status ?? null,
    delivery_connection_id: record.delivery?.connectionId ?? null,
    delivery_uri: record.delivery?.uri ?? null,
    delivery_error: record.delivery?.error ?? null,
    effective_config: effectiveConfig(spec),
    batch_id: record.batch?.batchId ?? null,
    custom_id: record.batch?.customId ?? null
  }
}

function effectiveConfig (spec: ForecastSpec): JobResponse['effective_config'] {
  return {
    prediction_length: spec.predictionLength,
    presets: spec.modelId === undefined ? spec.preset : presetOf(spec.modelId),
    item_id_column: spec.columns.itemId,
    timestamp_column: spec.columns.timestamp,
    target_column: spec.columns.target,
    covariates: spec.columns.covariates ?? [],
    freq: spec.freq,
    quantile_levels: spec.quantileLevels,
    timestamp_format: spec.timestampFormat,
    quantile_column_style: spec.quantileColumnStyle,
    sheet_name: spec.sheetName ?? null,
    preparation: spec.preparation === undefined ? null : renderPreparationConfig(spec.preparation),
    external_covariates: spec.externalCovariates === undefined
      ? null
      : renderExternalCovariatesConfig(spec.externalCovariates),
    reconciliation: spec.reconciliation === undefined ? null : renderReconciliationConfig(spec.reconciliation),
    feature_engineering: spec.featureEngineering === undefined ? null : renderFeatureConfig(spec.featureEngineering),
    explainability: spec.explainability === undefined ? null : renderExplainabilityConfig(spec.explainability),
    training: spec.training === undefined ? null : renderTraining(spec.training)
  }
}

function renderTraining ({ loss, validationWindows, maxRuntimeSeconds }: TrainingSpec) {
  return { loss, validation_windows: validationWindows, max_runtime_seconds: maxRuntimeSeconds }
}
