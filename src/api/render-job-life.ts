import type { JobRecord, RecordedJobType } from '../services/jobs/job-record.ts'
import type { JobProgress } from '../services/jobs/job-service.ts'
import { artifactUrl } from '../services/jobs/report-files.ts'

/** The fields of every type of job. Each is picked by name, so that nothing of the record can leak. */
export function renderJobLife<Type extends RecordedJobType> (record: JobRecord, jobType: Type,
  progress: JobProgress | null) {
  return {
    job_id: record.jobId,
    status: record.status,
    created_at: time(record.createdAtMs),
    job_type: jobType,
    completed_at: optionalTime(record.completedAtMs),
    elapsed_seconds: record.completedAtMs === null
      ? null
      : Math.max(0, record.completedAtMs - record.createdAtMs) / 1000,
    error: record.error,
    error_code: record.errorCode,
    // A path, never a signed address, so that records and logs contain nothing that opens a file.
    download_url: record.status === 'completed' && jobType !== 'fine_tune' ? `/jobs/${record.jobId}/download` : null,
    report_url: artifactUrl(record, 'report.html'),
    // A job with analyses overrides this.
    explainability: null,
    explainability_url: null,
    timings: record.timings,
    request_id: record.requestId,
    config_hash: record.configHash,
    dataset_hash: record.datasetHash,
    model_version: record.modelVersion,
    connector_code: record.connectorCode ?? null,
    callback_status: record.callback?.status ?? null,
    name: record.name,
    metadata: record.metadata,
    warnings: record.warnings,
    progress: progress === null ? null : renderProgress(progress),
    attempt: record.attempt,
    expires_at: optionalTime(record.expiresAtMs)
  }
}

export function renderProgress ({ stage, fraction, queuePosition, shards }: JobProgress) {
  return { stage, fraction, queue_position: queuePosition, shards: shards ?? null }
}

function time (ms: number): string {
  return new Date(ms).toISOString()
}

function optionalTime (ms: number | null): string | null {
  return ms === null ? null : time(ms)
}
