import { Type } from 'typebox'
import { anomalyHandlings, backtestStrategies, deploymentTargets, evaluationMetrics, filterOperators, granularities,
  horizonUnits, missingDataHandlings, reviewStatuses } from '../../domain/intent-values.ts'
import { closedObject } from '../../platform/closed-object.ts'
import { preparation } from '../../services/forecasts/blocks/preparation.ts'
import { nullable } from './nullable.ts'
import { reconciliationConfig } from './reconciliation-status.ts'
import { defined } from '../../platform/defined.ts'

/** The name of a column is a cell of a header, which may be long. */
const maxName = 32_768
const name = () => Type.String({ maxLength: maxName })
const maxList = 1_000
/** Steps of a season; no series is that long. */
const mostSteps = 1e12
const names = (description: string) => Type.Optional(Type.Array(name(), { maxItems: maxList, description }))
const optional = <T extends Parameters<typeof nullable>[0]>(schema: T, description?: string) =>
  Type.Optional(nullable(schema, description))

/** What a sender wants forecast. A client may leave out any field; answers have all of them. */
const intentFields = {
  business_objective: optional(Type.String({ maxLength: 1000 }),
    'The purpose of the forecast, in the words of the prompt.'),
  forecast_target: optional(name(), 'The column to forecast.'),
  time_column: optional(name()),
  granularity: optional(Type.Enum(granularities)),
  horizon: optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    'Steps to forecast, of the length `granularity`, after the last time in the data.'),
  forecast_frequency: optional(Type.String({ maxLength: 20 }), 'Length of a step as a pandas alias.'),
  horizon_quantity: optional(Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
    'The horizon in the words of the prompt.'),
  horizon_unit: optional(Type.Enum(horizonUnits)),
  entity_columns: names('Columns whose values name a series.'),
  grouping_dimensions: names('Columns that group the forecast instead of entity_columns.'),
  filters: Type.Optional(Type.Array(closedObject({
    column: name(),
    op: Type.Enum(filterOperators),
    value: Type.String({
      maxLength: 10_000,
      description:
        'For in, not_in and between: several values, separated by commas, or a JSON list if values contain commas.'
    })
  }), { maxItems: 50, description: 'Only rows that match all filters are used.' })),
  covariates: names('All covariates: those known for the horizon and those known for the past only.'),
  known_future_features: names(
    'Columns that are known for the horizon, according to the prompt or the data. A column is used if the data have ' +
      'values for all steps of the horizon.'
  ),
  historical_features: names('Columns known for the past only.'),
  evaluation_metric: Type.Optional(Type.Enum(evaluationMetrics)),
  backtest_strategy: Type.Optional(Type.Enum(backtestStrategies)),
  confidence_intervals: Type.Optional(
    Type.Array(Type.Number({ minimum: 0.001, maximum: 0.9999 }), {
      maxItems: 10,
      description: 'Share of outcomes inside each interval.'
    })
  ),
  seasonality: Type.Optional(
    Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: mostSteps }), {
      maxItems: 50,
      description: 'Season lengths in steps of `granularity`.'
    })
  ),
  anomaly_handling: Type.Optional(Type.Enum(anomalyHandlings)),
  missing_data_handling: Type.Optional(Type.Enum(missingDataHandlings)),
  user_constraints: Type.Optional(
    Type.Array(Type.String({ maxLength: 1000 }), {
      maxItems: 100,
      description:
        'Requests that fit no other field, and parts of the prompt that were not understood (`Not used: ...`).'
    })
  ),
  deployment_target: Type.Optional(Type.Enum(deploymentTargets)),
  review_status: Type.Optional(
    Type.Enum(reviewStatuses, {
      description:
        'Each answer sets it again. rejected stays. With an open question it is needs_clarification. Otherwise it is ' +
        'confirmed if the client says so, else ready. For a prompt it is draft.'
    })
  ),
  missing_required_fields: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
  clarification_questions: Type.Optional(Type.Array(closedObject({
    field: Type.String({ maxLength: 100, description: 'The field of the intent that the question is about.' }),
    question: Type.String({ maxLength: 100_000 }),
    suggestions: Type.Array(Type.String({ maxLength: maxName }), {
      maxItems: 100,
      description: 'At most four values from the data.'
    })
  }), { maxItems: 100, description: 'At most three questions, the most important first.' })),
  confidence: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'How much of the intent the prompt states, and how much of the prompt the intent covers. Not a probability.'
    })
  )
}

export const forecastIntent = closedObject(intentFields)
export const forecastIntentSchema = closedObject(intentFields, { $id: 'ForecastIntent' })

const most = 1e15
const countOf = (description?: string) => Type.Integer({ minimum: 0, maximum: most, ...defined({ description }) })

/** Every number that JSON can hold. */
const anyNumber = Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE })

/** The shape of a dataset. */
const profileFields = {
  total_rows: countOf('Data rows of the file.'),
  num_items: countOf('Series of the file.'),
  min_length: countOf('Rows of the shortest series up to its last target.'),
  max_length: countOf(),
  avg_length: Type.Number({ minimum: 0, maximum: most }),
  frequency: Type.Optional(Type.Enum(granularities)),
  missingness_ratio: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Share of the steps between first and last observation without a value.'
  }),
  dataset_size: Type.Optional(
    Type.Enum(['tiny', 'small', 'medium', 'large', 'huge'], {
      description: 'By the number of rows: below a thousand, ten thousand, a hundred thousand, a million, or more.'
    })
  ),
  inferred_freq_str: nullable(Type.String({ maxLength: 20 }), 'pandas alias; null: the rows have no regular step.'),
  has_negatives: Type.Boolean(),
  covers_weekends: Type.Boolean(),
  value_min: anyNumber,
  value_max: anyNumber,
  candidate_seasonality: Type.Array(Type.Number({ minimum: 0, maximum: mostSteps }), {
    maxItems: maxList,
    description: 'Season lengths in steps that show in the values, strongest first.'
  }),
  suspected_covariates: Type.Array(name(), {
    maxItems: maxList,
    description: 'Columns that correlate with the target, strongest first.'
  }),
  hierarchical: Type.Boolean(),
  hierarchy_columns: Type.Array(name(), {
    maxItems: maxList,
    description: 'Columns whose values nest, coarsest first.'
  })
}

export const datasetProfileSchema = closedObject(profileFields, { $id: 'DatasetProfile' })

export const covariateSuggestion = Type.Object({
  source: Type.String(),
  variables: Type.Array(Type.String()),
  rationale: Type.String(),
  requirements: Type.Object({}, { additionalProperties: Type.Unknown() })
})

const columnList = (maxColumns: number) =>
  Type.Array(name(), { maxItems: maxColumns, description: 'Column names of the dataset.' })

/** Body of POST /agent/validate. */
export function intentToValidate (maxColumns: number) {
  return {
    intent: forecastIntent,
    columns: columnList(maxColumns),
    profile: Type.Optional(
      nullable(closedObject(profileFields),
        'The profile from an earlier answer of the agent. It is used for this answer only.')
    )
  }
}

export const agentResponse = Type.Object({
  intent: Type.Ref('ForecastIntent'),
  columns: Type.Array(Type.String(), { description: 'Column names of the dataset.' }),
  covariate_suggestions: Type.Array(covariateSuggestion, {
    description: 'External covariates that this deployment can add.'
  }),
  generated_by: Type.Enum(['rules', 'model'], {
    description: 'model: a language model that the operator configured supplied a part of the intent.'
  }),
  warnings: Type.Array(Type.String(), {
    description: 'Why the dataset has no series. If so, `profile` is missing.'
  }),
  profile: Type.Optional(Type.Ref('DatasetProfile'))
})

const sentences = (description: string) => Type.Array(Type.String(), { description })

export const analysisResponse = Type.Object({
  columns: Type.Array(Type.String(), { description: 'Column names of the dataset.' }),
  detected: Type.Object({
    timestamp_column: nullable(Type.String()),
    target_column: nullable(Type.String()),
    item_id_column: nullable(Type.String(),
      'null: the file is one series, or several columns together name the series.'),
    frequency: nullable(Type.String(), 'pandas alias; null: the rows have no regular step.')
  }),
  profile: Type.Ref('DatasetProfile'),
  recommended_config: Type.Object({
    prediction_length: Type.Integer(),
    presets: Type.String(),
    item_id_column: Type.String(),
    timestamp_column: Type.String(),
    target_column: Type.String(),
    freq: nullable(Type.String()),
    quantile_levels: nullable(Type.String()),
    covariates: nullable(Type.String()),
    preparation: nullable(preparation),
    reconciliation: nullable(reconciliationConfig)
  }, {
    description:
      'Fields of a forecast request. Send them to any forecast route, with `object_id`, or as a form with `file`.'
  }),
  covariate_suggestions: Type.Array(covariateSuggestion),
  rationale: sentences('Reasons for the configuration.'),
  warnings: sentences(
    'What was guessed, and which parts of the prompt have no effect. If `requires_review` is true, the first ones ' +
      'say why POST /agent/forecast refuses the request.'
  ),
  requires_review: Type.Boolean({
    description:
      'true: POST /agent/forecast refuses this file and prompt. The request is impossible for these rows, or was not ' +
      'understood. The recommendation is then a guess, or every forecast route refuses it.'
  }),
  estimate: Type.Object({
    runtime_seconds: Type.Object({ p50: Type.Number(), p90: Type.Number() }, {
      description: 'As in POST /estimate/runtime.'
    }),
    cost_units: Type.Number({ description: 'As in POST /estimate/cost.' })
  })
})
