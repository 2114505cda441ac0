import { maxHierarchyLevels } from '../domain/limits.ts'
import type { Config } from '../platform/config.ts'
import { maxWebhookEndpoints } from '../services/callbacks/webhook-endpoint.ts'
import { maxBatchRequests } from '../services/forecasts/batch-request.ts'
import { maxMetadataBytes } from '../services/forecasts/label-fields.ts'
import { maxLevels } from '../services/forecasts/quantile-levels.ts'
import { maxSpecificationBytes } from '../services/jobs/intake.ts'
import { maxKeysPerTenant } from '../services/keys/tenant-keys.ts'
import { listedTypes } from '../services/objects/content-types.ts'
import { maxJsonDepth, maxJsonKeys } from './validation/bounded-json.ts'

/** Fields and files of one form. */
export const maxFormParts = 40

/** What GET /limits answers, but for the quotas of the caller. */
export function limitsOf (config: Config) {
  return {
    max_upload_bytes: config.MAX_UPLOAD_BYTES,
    max_object_bytes: config.MAX_OBJECT_BYTES,
    max_objects_per_tenant: config.MAX_OBJECTS_PER_TENANT,
    upload_content_types: listedTypes(config),
    preview_max_bytes: config.PREVIEW_MAX_BYTES,
    preview_max_rows: config.PREVIEW_MAX_ROWS,
    max_batch_requests: maxBatchRequests,
    max_json_bytes: config.MAX_JSON_BYTES,
    max_json_depth: maxJsonDepth,
    max_json_keys: maxJsonKeys,
    max_form_field_bytes: config.MAX_FORM_FIELD_BYTES,
    max_form_parts: maxFormParts,
    max_rows: config.MAX_ROWS,
    max_columns: config.MAX_COLUMNS,
    max_series: config.MAX_SERIES,
    max_hierarchy_levels: maxHierarchyLevels,
    max_cell_chars: config.MAX_CELL_CHARS,
    min_observations_per_series: 2,
    max_prediction_length: config.MAX_HORIZON,
    max_forecast_points: config.MAX_FORECAST_POINTS,
    max_output_bytes: config.MAX_OUTPUT_BYTES,
    max_covariate_years: config.COVARIATES_DAILY_YEARS,
    max_covariate_years_within_days: config.COVARIATES_HOURLY_YEARS,
    max_quantile_levels: maxLevels,
    max_metadata_bytes: maxMetadataBytes,
    max_specification_bytes: maxSpecificationBytes,
    max_csv_bytes: config.MAX_CSV_BYTES,
    sync_check_max_bytes: config.SYNC_CHECK_MAX_BYTES,
    min_upload_bytes_per_second: config.UPLOAD_MIN_BYTES_PER_SECOND,
    connector_max_bytes: config.CONNECTOR_MAX_BYTES,
    connector_max_rows: config.CONNECTOR_MAX_ROWS,
    max_fine_tuned_models: config.FINE_TUNE_MAX_MODELS,
    fine_tuned_model_seconds: config.FINE_TUNE_MODEL_TTL,
    max_webhook_endpoints: maxWebhookEndpoints,
    max_keys_per_tenant: maxKeysPerTenant,
    job_budget_seconds: config.JOB_BUDGET_SECONDS,
    job_retention_seconds: config.JOB_RETENTION_SECONDS,
    signed_url_seconds: config.SIGNED_URL_SECONDS,
    signed_upload_seconds: config.SIGNED_UPLOAD_SECONDS,
    downloads_per_tenant: config.DOWNLOADS_PER_TENANT,
    max_queued_jobs: config.MAX_QUEUED,
    max_queued_jobs_per_tenant: config.MAX_QUEUED_PER_TENANT,
    rate_limits: config.RATE_LIMITS
      ? {
        reads_per_minute: config.RATE_READS_PER_MINUTE,
        creates_per_minute: config.RATE_CREATES_PER_MINUTE,
        uploads_per_minute: config.RATE_UPLOADS_PER_MINUTE,
        agent_per_minute: config.RATE_AGENT_PER_MINUTE,
        tenant_factor: config.RATE_TENANT_FACTOR,
        sync_cpu_ms_per_minute: config.SYNC_CPU_MS_PER_MINUTE,
        api_cpu_ms_per_minute: config.API_CPU_MS_PER_MINUTE
      }
      : null
  }
}
