import { Type, type Static } from 'typebox'
import { deliveryStatuses } from '../../services/jobs/job-record.ts'
import { explainabilityConfig, explanation } from './explainability-status.ts'
import { externalCovariateMetadata } from './external-covariates.ts'
import { featureConfig } from './feature-config.ts'
import { identifier } from './identifier.ts'
import { acceptedAs, forecastJobTypes, freeForm, jobLife, text, type WithErrorCode } from './job-life.ts'
import { nullable } from './nullable.ts'
import { preparationConfig, preparationStatus } from './preparation-status.ts'
import { reconciliationConfig, reconciliationStatus } from './reconciliation-status.ts'

const effectiveConfig = Type.Object({
  prediction_length: Type.Integer(),
  presets: Type.String(),
  item_id_column: Type.String(),
  timestamp_column: Type.String(),
  target_column: Type.String(),
  covariates: Type.Array(Type.String(), {
    description: 'As requested; the warnings of the job name those that were not used.'
  }),
  freq: nullable(Type.String(), 'null: inferred from the data.'),
  quantile_levels: Type.Array(Type.Number()),
  timestamp_format: Type.String(),
  quantile_column_style: Type.String(),
  sheet_name: nullable(Type.String(), 'null: the first sheet of a spreadsheet, or no spreadsheet.'),
  preparation: nullable(preparationConfig, 'null: rows are used as they are.'),
  external_covariates: freeForm('External covariates by kind, with all defaults filled in; null: not requested.'),
  reconciliation: nullable(reconciliationConfig, 'null: not requested.'),
  feature_engineering: nullable(featureConfig, 'null: not requested.'),
  explainability: nullable(explainabilityConfig, 'null: not requested.'),
  training: nullable(Type.Object({
    loss: Type.String(),
    validation_windows: Type.Integer(),
    max_runtime_seconds: nullable(Type.Integer(), 'null: the time budget of the deployment.')
  }), 'Only for a job that trains a model, otherwise null. `presets` is its base preset.')
})

/** A forecast or training. Every field is always there; unknown values are null. */
export const jobSchema = Type.Object({
  ...jobLife(forecastJobTypes),
  num_items: nullable(Type.Integer(), 'Series of the dataset, without the aggregates of a hierarchy.'),
  prediction_length: nullable(Type.Integer()),
  external_covariate_metadata: externalCovariateMetadata,
  forecast_plot_url: text(
    'The plot of the forecast as a page; null: the request does not ask for it, or it was skipped.'
  ),
  preparation: nullable(preparationStatus,
    'What happened to the rows before the forecast; null: the request has no preparation, or the job ' +
      'has not completed.'),
  reconciliation: nullable(reconciliationStatus,
    'What the reconciliation did; null: the request asks for none, or the job has not completed.'),
  explanation: nullable(explanation,
    'The forecast in words; null: the job has not completed, trains a model, or has no explanation.'),
  delivery_status: nullable(Type.Enum(deliveryStatuses),
    'State of the delivery to a data connection. skipped: the forecast failed. null: the request asks for none.'),
  delivery_connection_id: text(),
  delivery_uri: text(),
  delivery_error: text(),
  effective_config: nullable(effectiveConfig, 'The request with all defaults filled in.'),
  batch_id: text('The batch that created the job.'),
  custom_id: text('As given by the caller of the batch.')
}, { $id: 'Job' })

export type JobResponse = WithErrorCode<Static<typeof jobSchema>>

/** For jobs of any type; `job_type` tells which shape it is. */
export const anyJob = Type.Union([Type.Ref('Job'), Type.Ref('TabularJob')])

/** For every route that creates one forecast or training. */
export const acceptedJob = acceptedAs('Job')

export const jobParams = Type.Object({ job_id: identifier() })

export const jobListSchema = Type.Object({
  jobs: Type.Array(anyJob),
  next_cursor: nullable(Type.String(), 'Send it as `cursor` to get the next page; null: this is the last page.')
}, { $id: 'JobList' })
