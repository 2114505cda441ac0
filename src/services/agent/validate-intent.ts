import type { ClarificationQuestion, ForecastIntent } from '../../domain/forecast-intent.ts'
import { granularities, type Granularity } from '../../domain/intent-values.ts'
import { openHorizonQuestion } from './choices/choose-horizon.ts'
import type { DatasetProfile } from './dataset-profile.ts'
import { ask, chooseQuestions, missingFields, nearestNames, suggestHorizons } from './questions.ts'

const nearest = 3
const columnFields = ['forecast_target', 'time_column', 'entity_columns', 'grouping_dimensions', 'covariates',
  'known_future_features', 'historical_features'] as const

/** An intent that a client has filled in or changed. Fields with a default may be left out. */
export type PartialIntent = Partial<ForecastIntent>

/**
 * The intent with what is missing, what to ask and its status worked out anew from its own fields, the columns and the
 * profile that the client sent.
 */
export function validateIntent (intent: PartialIntent, columns: readonly string[],
  profile?: DatasetProfile): ForecastIntent {
  const complete: ForecastIntent = { ...defaults(profile), ...withoutUndefined(intent) }
  const missing = missingFields(complete)
  // Looking for near names takes long, so it is done for what is asked alone.
  const open = [...missing.map((field) => ({ field, name: null })), ...unknownColumns(complete, columns)]
  const questions = chooseQuestions<{ field: string, name: string | null }>(open)
    .map((
      { field, name }
    ) => (name === null
      ? askFor(field as typeof missing[number], columns, profile)
      : askForColumn(name, field, columns))
    )
  return {
    ...complete,
    missing_required_fields: missing,
    clarification_questions: questions,
    review_status: intent.review_status === 'rejected'
      ? 'rejected'
      : questions.length > 0
      ? 'needs_clarification'
      : intent.review_status === 'confirmed'
      ? 'confirmed'
      : 'ready'
  }
}

function askFor (field: ReturnType<typeof missingFields>[number], columns: readonly string[],
  profile: DatasetProfile | undefined): ClarificationQuestion {
  if (field === 'forecast_target') return ask(field, 'Which column shall be forecast?', columns)
  if (field === 'time_column') return ask(field, 'Which column has the time?', columns)
  if (field === 'granularity') {
    return ask(field, 'Which step length shall the forecast have?', ['daily', 'weekly', 'monthly', 'quarterly'])
  }
  return ask(field, openHorizonQuestion, suggestHorizons(profile?.frequency ?? null, profile?.min_length ?? 0))
}

/** Names that are no columns, by the field that has them. */
function unknownColumns (intent: ForecastIntent, columns: readonly string[]): { field: string, name: string }[] {
  const known = new Set(columns)
  const used = [
    ...columnFields.flatMap((field) => [intent[field] ?? []].flat().map((name) => ({ field, name }))),
    ...intent.filters.map(({ column }) => ({ field: 'filters', name: column }))
  ]
  return used.filter(({ name }) => !known.has(name))
}

function askForColumn (name: string, field: string, columns: readonly string[]): ClarificationQuestion {
  return ask(field, `The data have no column "${name.slice(0, 100)}". Which one is meant?`,
    nearestNames(name, columns, nearest))
}

function defaults (profile: DatasetProfile | undefined): ForecastIntent {
  const frequency = profile?.frequency
  return {
    business_objective: null,
    forecast_target: null,
    time_column: null,
    granularity: frequency !== undefined && frequency !== 'irregular' && isGranularity(frequency) ? frequency : null,
    horizon: null,
    forecast_frequency: null,
    horizon_quantity: null,
    horizon_unit: null,
    entity_columns: [],
    grouping_dimensions: [],
    filters: [],
    covariates: [],
    known_future_features: [],
    historical_features: [],
    evaluation_metric: 'MAPE',
    backtest_strategy: 'holdout',
    confidence_intervals: [],
    seasonality: [],
    anomaly_handling: 'none',
    missing_data_handling: 'ffill',
    user_constraints: [],
    deployment_target: 'one_off',
    review_status: 'draft',
    missing_required_fields: [],
    clarification_questions: [],
    confidence: 0
  }
}

function isGranularity (text: string): text is Granularity {
  return (granularities as readonly string[]).includes(text)
}

/** A field that is not there shall not stand over its default. */
function withoutUndefined (intent: PartialIntent): PartialIntent {
  return Object.fromEntries(Object.entries(intent).filter(([, value]) => value !== undefined))
}
