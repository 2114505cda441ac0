import { Type, type Static } from 'typebox'
import { connectorCodes } from '../../connectors/connector-error.ts'
import { callbackStatuses, deliveryStatuses, jobStatuses } from '../../jobs/job-record.ts'
import { explainabilityStatus, explanation } from './explainability-status.ts'
import { nullable } from './nullable.ts'
import { reconciliationConfig, reconciliationStatus } from './reconciliation-status.ts'

export const jobTypes = [
  'forecast', 'classification', 'regression', 'fine_tune', 'analysis', 'sandbox_forecast', 'sandbox_classification', 'sandbox_regression'
] as const

const time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })
const text = (description?: string) => nullable(Type.String(), description)
const freeForm = (description: string) => nullable(Type.Object({}, { additionalProperties: true }), description)

const warning = Type.Object({ code: Type.String(), message: Type.String(), count: Type.Integer() })

const progress = Type.Object({
  stage: Type.String(),
  fraction: Type.Number({ minimum: 0, maximum: 1 }),
  queue_position: nullable(Type.Integer(), 'Jobs that would start before this one; null in the answer that creates it, and once it is out of the queue.')
})

const effectiveConfig = Type.Object({
  prediction_length: Type.Integer(),
  presets: Type.String(),
  item_id_column: Type.String(),
  timestamp_column: Type.String(),
  target_column: Type.String(),
  covariates: Type.Array(Type.String(), { description: 'As asked for; the job\'s warnings name those that are not used.' }),
  freq: nullable(Type.String(), 'null: inferred from the data.'),
  quantile_levels: Type.Array(Type.Number()),
  timestamp_format: Type.String(),
  quantile_column_style: Type.String(),
  sheet_name: nullable(Type.String(), 'null: the first sheet of a spreadsheet, or no spreadsheet.'),
  reconciliation: nullable(reconciliationConfig, 'null: not asked for.')
})

/** A forecast job. Every field is always there; what is not known is null. */
export const jobSchema = Type.Object({
  job_id: Type.String(),
  status: Type.Enum(jobStatuses),
  created_at: time,
  job_type: Type.Enum(jobTypes, { description: 'Selects the shape of the job.' }),
  completed_at: nullable(time),
  elapsed_seconds: nullable(Type.Number(), 'From created_at to completed_at.'),
  num_items: nullable(Type.Integer(), 'Series of the dataset, without the aggregates of a hierarchy.'),
  prediction_length: nullable(Type.Integer()),
  error: text('Failure in words.'),
  error_code: nullable(Type.Ref('ErrorCode')),
  download_url: text('Set when the result can be downloaded.'),
  report_url: text(),
  external_covariate_metadata: freeForm('What was used of the external covariates.'),
  explainability: nullable(explainabilityStatus),
  explainability_url: text(),
  forecast_plot_url: text(),
  reconciliation: nullable(reconciliationStatus, 'What the reconciliation did; null: none was asked for, or the job has not completed.'),
  timings: nullable(Type.Object({}, { additionalProperties: Type.Number() }), 'Seconds by stage.'),
  explanation: nullable(explanation),
  request_id: text('Of the request that created the job.'),
  config_hash: text('SHA-256 of the effective configuration.'),
  dataset_hash: text('SHA-256 of the canonical rows.'),
  model_version: text('Engine version and preset. Equal hashes and version give equal bytes.'),
  connector_code: nullable(Type.Enum(Object.keys(connectorCodes)), 'What was wrong with the data connection that the job read from.'),
  delivery_status: nullable(Type.Enum(deliveryStatuses), 'Writing back to a data connection; skipped: the forecast failed. null: not asked for.'),
  delivery_connection_id: text(),
  delivery_uri: text(),
  delivery_error: text(),
  callback_status: nullable(Type.Enum(callbackStatuses), 'How the announcement at callback_url goes: pending until its first attempt, failed when no attempt is left; null without one.'),
  name: text('As given by the caller.'),
  metadata: freeForm('As given by the caller.'),
  warnings: nullable(Type.Array(warning), 'What was noticed in the data.'),
  effective_config: nullable(effectiveConfig, 'The request with every default resolved.'),
  progress: nullable(progress, 'Only while pending or running.'),
  attempt: nullable(Type.Integer(), 'Runs started so far.'),
  expires_at: nullable(time, 'When the job and its files are deleted.'),
  batch_id: text('The batch that it was created with.'),
  custom_id: text('As given by the caller of the batch.')
}, { $id: 'Job' })

type JobFields = Static<typeof jobSchema>
/** `error_code` refers to another schema, which its static type cannot follow. */
export type JobResponse = Omit<JobFields, 'error_code'> & { error_code: string | null }

/** Of every route that creates one job. */
export const acceptedJob = {
  description: 'The job, pending. Poll `Location`.',
  headers: { Location: Type.String(), 'Retry-After': Type.String() },
  content: { 'application/json': { schema: Type.Ref('Job') } }
}

export const jobParams = Type.Object({ job_id: Type.String() })

export const jobListSchema = Type.Object({
  jobs: Type.Array(Type.Ref('Job')),
  next_cursor: nullable(Type.String(), 'Give it back as `cursor` for the next page; null on the last one.')
}, { $id: 'JobList' })
