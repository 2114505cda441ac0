import { Type } from 'typebox'
import { presetNames } from '../../services/forecasts/presets.ts'
import { quotaNames } from '../../services/quotas/quota-rules.ts'

export const healthSchema = Type.Object({
  version: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
  status: Type.Enum(['ok', 'degraded']),
  commit: Type.String({ description: 'Commit of the deployed code.' }),
  checks: Type.Object({}, {
    additionalProperties: Type.String(),
    description: 'For each resource, `ok` or the problem.'
  })
}, { $id: 'Health' })

export const livenessSchema = Type.Object({ status: Type.Literal('alive') })

export const modelsSchema = Type.Object({
  available_presets: Type.Array(Type.Enum(presetNames)),
  note: Type.String()
})

const count = (description: string) => Type.Integer({ description })

const quota = Type.Object({
  limit: Type.Union([Type.Integer(), Type.Null()], { description: 'null: none.' }),
  used: Type.Integer(),
  resets_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the use starts again at 0; null: it falls when something is deleted or expires.'
  })
})

export const limitsSchema = Type.Object({
  max_upload_bytes: count('Largest multipart upload.'),
  max_object_bytes: count('Largest upload to a signed URL.'),
  max_objects_per_tenant: count('Stored objects that a tenant may have. A deleted object counts for one more day.'),
  upload_content_types: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Content types of uploads to signed URLs; null: any.'
  }),
  preview_max_bytes: count('Bytes of a stored file that a preview reads.'),
  preview_max_rows: count('Rows that a preview returns.'),
  max_batch_requests: count('Requests of one batch.'),
  max_json_bytes: count('Largest JSON body.'),
  max_json_depth: count('Deepest nesting of JSON, in bodies and in form fields.'),
  max_json_keys: count('Keys that one JSON value may have.'),
  max_form_field_bytes: count('Largest text field of a form.'),
  max_form_parts: count('Parts that a form may have.'),
  max_rows: count('Rows of a dataset. A job with fewer may still need more memory than a slot has.'),
  max_columns: count('Columns of a dataset.'),
  max_series: count('Series of a dataset, and nodes of its hierarchy.'),
  max_hierarchy_levels: count('Levels of a hierarchy below its total: columns, or parts of an item id.'),
  max_cell_chars: count('Characters of a cell.'),
  min_observations_per_series: count('Historical observations that each series needs.'),
  max_prediction_length: count('Steps of a forecast.'),
  max_forecast_points: count('Steps times series, the aggregates of a hierarchy included.'),
  max_output_bytes: count('Size of the forecast table as CSV, bytes.'),
  max_covariate_years: count(
    'Years for which external covariates are collected, from the first step of a dataset to the end of its horizon, ' +
      'if steps are a day or longer.'
  ),
  max_covariate_years_within_days: count('The same if steps are shorter than a day.'),
  max_quantile_levels: count('Quantile levels of a forecast.'),
  max_metadata_bytes: count('Metadata of a job, as JSON.'),
  max_specification_bytes: count('All options of a job together, as stored.'),
  max_csv_bytes: count('The CSV of a result above this size is written at its first download.'),
  sync_check_max_bytes: count('Uploads up to this size are checked in full before the answer.'),
  min_upload_bytes_per_second: count('Slowest upload, after the first 10 seconds.'),
  connector_max_bytes: count('Bytes that a connection may read for one job.'),
  connector_max_rows: count('Rows that a connection may read for one job.'),
  max_fine_tuned_models: count('Fine-tuned models that a tenant may have.'),
  fine_tuned_model_seconds: count('Seconds for which a fine-tuned model is kept; 0: until it is deleted.'),
  max_webhook_endpoints: count('Webhook endpoints that a tenant may have.'),
  max_keys_per_tenant: count('Valid API keys that a tenant may have.'),
  job_budget_seconds: count('Longest run of a job, seconds of wall time.'),
  job_retention_seconds: count('Seconds for which a job is kept after its end.'),
  signed_url_seconds: count('Lifetime of a signed download URL, seconds.'),
  signed_upload_seconds: count('Lifetime of a signed upload URL, seconds.'),
  downloads_per_tenant: count('Simultaneous downloads of one tenant.'),
  max_queued_jobs: count('Jobs of all tenants that may wait.'),
  max_queued_jobs_per_tenant: count('Jobs of one tenant that may wait.'),
  quotas: Type.Union([
    Type.Object(Object.fromEntries(quotaNames.map((name) => [name, quota]))),
    Type.Null()
  ], { description: 'Quotas of your tenant and their use; null: this deployment has none.' }),
  rate_limits: Type.Union([
    Type.Object({
      reads_per_minute: count('Reads of one key per minute.'),
      creates_per_minute: count('Requests of one key per minute that create jobs.'),
      uploads_per_minute: count('Uploads of one key per minute.'),
      agent_per_minute: count('Requests of one key per minute to the agent.'),
      tenant_factor: count('All keys of a tenant together have this many times the limits of one key.'),
      sync_cpu_ms_per_minute: count(
        'Processor time of one tenant for work that its callers wait for, in milliseconds of a core: content checks, ' +
          'previews, the agent, estimates, connections. Above it, requests get 429.'
      ),
      api_cpu_ms_per_minute: count(
        'Processor time of one tenant in the api process for bodies, lists and answers, in milliseconds. Above it, ' +
          'requests get 429. Reads of single things cost nothing, except for the bytes of files.'
      )
    }),
    Type.Null()
  ], { description: 'null: requests are not limited.' })
}, { $id: 'Limits' })
