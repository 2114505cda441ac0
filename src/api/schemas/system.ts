import { Type } from 'typebox'
import { presetNames } from '../../services/forecasts/presets.ts'
import { quotaNames } from '../../services/quotas/quota-rules.ts'

export const healthSchema = Type.Object({
  version: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
  status: Type.Enum(['ok', 'degraded']),
  commit: Type.String({ description: 'Identifier of the deployed code.' }),
  checks: Type.Object({}, { additionalProperties: Type.String(), description: '`ok` or what is wrong, by resource.' })
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
    description: 'null: it falls with what is deleted or expires.'
  })
})

export const limitsSchema = Type.Object({
  max_upload_bytes: count('Largest multipart upload.'),
  max_object_bytes: count('Largest upload to a signed URL.'),
  max_objects_per_tenant: count('Stored objects that a tenant may have; one that was deleted counts for a day more.'),
  upload_content_types: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Content types of uploads to signed URLs; null: any.'
  }),
  preview_max_bytes: count('Bytes of a stored file that a preview reads.'),
  preview_max_rows: count('Rows that a preview gives.'),
  max_batch_requests: count('Requests of one batch.'),
  max_json_bytes: count('Largest JSON body.'),
  max_json_depth: count('Deepest nesting of JSON, in bodies and in form fields.'),
  max_json_keys: count('Most keys of one JSON value.'),
  max_form_field_bytes: count('Largest text field of a form.'),
  max_form_parts: count('Most parts of a form.'),
  max_rows: count('Rows of a dataset.'),
  max_columns: count('Columns of a dataset.'),
  max_series: count('Series of a dataset, and nodes of its hierarchy.'),
  max_hierarchy_levels: count('Levels of a hierarchy below its total: columns, or parts of an item id.'),
  max_cell_chars: count('Characters of a cell.'),
  min_observations_per_series: count('Historical observations that each series needs.'),
  max_prediction_length: count('Steps of a forecast.'),
  max_forecast_points: count('Steps times series, the aggregates of a hierarchy included.'),
  max_output_bytes: count('Of the forecast table as CSV.'),
  max_covariate_years: count(
    'Years from the first step of a dataset to the end of its horizon for which covariates from outside are found; ' +
      'of steps of a day or longer.'
  ),
  max_covariate_years_within_days: count('The same of steps shorter than a day.'),
  max_quantile_levels: count('Quantile levels of a forecast.'),
  max_metadata_bytes: count('Metadata of a job, as JSON.'),
  max_specification_bytes: count('All options of a job together, as it is stored.'),
  max_csv_bytes: count('Results above this size are written as CSV at their first download.'),
  sync_check_max_bytes: count('Uploads up to this size are checked in full before the answer.'),
  min_upload_bytes_per_second: count('Slowest upload, after the first 10 seconds.'),
  connector_max_bytes: count('Bytes that a connection may read for one job.'),
  connector_max_rows: count('Rows that a connection may read for one job.'),
  max_fine_tuned_models: count('Fine-tuned models that a tenant may have.'),
  fine_tuned_model_seconds: count('Time for which a fine-tuned model is kept; 0: until it is deleted.'),
  max_webhook_endpoints: count('Webhook endpoints that a tenant may have.'),
  max_keys_per_tenant: count('API keys that work which a tenant may have.'),
  job_budget_seconds: count('Wall clock of one run of a job.'),
  job_retention_seconds: count('Time after its end that a job is kept.'),
  signed_url_seconds: count('Lifetime of a signed download URL.'),
  signed_upload_seconds: count('Lifetime of a signed upload URL.'),
  downloads_per_tenant: count('Downloads of one tenant that are sent side by side.'),
  max_queued_jobs: count('Jobs that may wait in all.'),
  max_queued_jobs_per_tenant: count('Jobs of one tenant that may wait.'),
  quotas: Type.Union([
    Type.Object(Object.fromEntries(quotaNames.map((name) => [name, quota]))),
    Type.Null()
  ], { description: "Of the caller's tenant, and what of them is used; null: this deployment has none." }),
  rate_limits: Type.Union([
    Type.Object({
      reads_per_minute: count('Reads of one key.'),
      creates_per_minute: count('Job-creating requests of one key.'),
      uploads_per_minute: count('Uploads of one key.'),
      agent_per_minute: count('Requests to the agent of one key.'),
      tenant_factor: count('How many times the limits of one key all keys of a tenant together have.'),
      sync_cpu_ms_per_minute: count(
        'Processor time of one tenant for what workers compute while its caller waits (content checks, previews, the ' +
          'agent, estimates, connections), milliseconds of a core; over it 429.'
      ),
      api_cpu_ms_per_minute: count(
        'Processor time of one tenant for what the api itself does with its bodies, lists and answers, milliseconds; ' +
          'over it 429. Reads of single things take none, but for the bytes of files.'
      )
    }),
    Type.Null()
  ], { description: 'null: requests are not limited.' })
}, { $id: 'Limits' })
