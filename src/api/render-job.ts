import type { JobRecord } from '../jobs/job-record.ts'
import type { JobProgress } from '../jobs/job-service.ts'
import { renderReconciliation, renderReconciliationConfig } from './render-reconciliation.ts'
import type { JobResponse } from './schemas/job.ts'

/** The job as clients see it: each field picked by name, so that nothing of the record gets out by accident. */
export function renderJob (record: JobRecord, progress: JobProgress | null): JobResponse {
  return {
    job_id: record.jobId,
    status: record.status,
    created_at: time(record.createdAtMs),
    job_type: record.jobType,
    completed_at: optionalTime(record.completedAtMs),
    elapsed_seconds: record.completedAtMs === null ? null : Math.max(0, record.completedAtMs - record.createdAtMs) / 1000,
    num_items: record.numItems,
    prediction_length: record.spec.predictionLength,
    error: record.error,
    error_code: record.errorCode,
    // A path, never a signed address: records and logs hold nothing that opens a file.
    download_url: record.status === 'completed' ? `/jobs/${record.jobId}/download` : null,
    report_url: null,
    external_covariate_metadata: null,
    explainability: null,
    explainability_url: null,
    forecast_plot_url: null,
    reconciliation: record.reconciliation === undefined ? null : renderReconciliation(record.reconciliation),
    timings: record.timings,
    explanation: null,
    request_id: record.requestId,
    config_hash: record.configHash,
    dataset_hash: record.datasetHash,
    model_version: record.modelVersion,
    connector_code: record.connectorCode ?? null,
    delivery_status: record.delivery?.status ?? null,
    delivery_connection_id: record.delivery?.connectionId ?? null,
    delivery_uri: record.delivery?.uri ?? null,
    delivery_error: record.delivery?.error ?? null,
    callback_status: record.callback?.status ?? null,
    name: record.name,
    metadata: record.metadata,
    warnings: record.warnings,
    effective_config: effectiveConfig(record),
    progress: progress === null ? null : { stage: progress.stage, fraction: progress.fraction, queue_position: progress.queuePosition },
    attempt: record.attempt,
    expires_at: optionalTime(record.expiresAtMs),
    batch_id: record.batch?.batchId ?? null,
    custom_id: record.batch?.customId ?? null
  }
}

const endedJobs = new WeakMap<JobRecord, string>()

/** As JSON text. A job that has ended does not change, so its text is made once for as long as its record stays in memory. */
export function renderJobText (record: JobRecord, progress: JobProgress | null): string {
  if (progress !== null || record.completedAtMs === null) return JSON.stringify(renderJob(record, progress))
  let text = endedJobs.get(record)
  if (text === undefined) {
    text = JSON.stringify(renderJob(record, null))
    endedJobs.set(record, text)
  }
  return text
}

function effectiveConfig ({ spec }: JobRecord): JobResponse['effective_config'] {
  return {
    prediction_length: spec.predictionLength,
    presets: spec.preset,
    item_id_column: spec.columns.itemId,
    timestamp_column: spec.columns.timestamp,
    target_column: spec.columns.target,
    covariates: spec.columns.covariates ?? [],
    freq: spec.freq,
    quantile_levels: spec.quantileLevels,
    timestamp_format: spec.timestampFormat,
    quantile_column_style: spec.quantileColumnStyle,
    sheet_name: spec.sheetName ?? null,
    reconciliation: spec.reconciliation === undefined ? null : renderReconciliationConfig(spec.reconciliation)
  }
}

function time (ms: number): string {
  return new Date(ms).toISOString()
}

function optionalTime (ms: number | null): string | null {
  return ms === null ? null : time(ms)
}
