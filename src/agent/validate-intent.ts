import type { DatasetProfile } from './dataset-profile.ts'
import type { ClarificationQuestion, ForecastIntent } from './forecast-intent.ts'
import { suggestHorizons } from './horizon-suggestions.ts'
import { granularities, type Granularity } from './intent-values.ts'
import { ask, chooseQuestions, maxSuggestions, missingFields, nearestNames } from './questions.ts'

const nearest = 3
const columnFields = ['forecast_target', 'time_column', 'entity_columns', 'grouping_dimensions', 'covariates', 'known_future_features', 'historical_features'] as const

/** An intent that a client has filled in or changed. Fields with a default may be left out. */
export type PartialIntent = Partial<ForecastIntent>

/** The intent with what is missing, what to ask and its status worked out anew from its own fields, the columns and the profile that the client sent. */
export function validateIntent (intent: PartialIntent, columns: readonly string[], profile?: DatasetProfile): ForecastIntent {
  const complete: ForecastIntent = { ...defaults(profile), ...withoutUndefined(intent) }
  const missing = missingFields(complete)
  const questions = [...missing.map((field) => askFor(field, columns, profile)), ...unknownColumns(complete, columns)]
  return {
    ...complete,
    missing_required_fields: missing,
    clarification_questions: chooseQuestions(questions),
    review_status: intent.review_status === 'rejected' ? 'rejected' : questions.length > 0 ? 'needs_clarification' : intent.review_status === 'confirmed' ? 'confirmed' : 'ready'
  }
}

function askFor (field: ReturnType<typeof missingFields>[number], columns: readonly string[], profile: DatasetProfile | undefined): ClarificationQuestion {
  if (field === 'forecast_target') return ask(field, 'Which column shall be forecast?', columns)
  if (field === 'time_column') return ask(field, 'Which column has the time?', columns)
  if (field === 'granularity') return ask(field, 'Which step length shall the forecast have?', ['daily', 'weekly', 'monthly', 'quarterly'])
  return ask(field, 'How far shall the forecast reach?', suggestHorizons(profile?.frequency ?? null, profile?.min_length ?? 0))
}

function unknownColumns (intent: ForecastIntent, columns: readonly string[]): ClarificationQuestion[] {
  const known = new Set(columns)
  const used: [string, string][] = [
    ...columnFields.flatMap((field) => [intent[field] ?? []].flat().map((name): [string, string] => [field, name])),
    ...intent.filters.map(({ column }): [string, string] => ['filters', column])
  ]
  return used.filter(([, name]) => name !== '' && !known.has(name)).map(([field, name]) =>
    ask(field, `The data have no column "${name.slice(0, 100)}". Which one is meant?`, nearestNames(name, columns, Math.min(nearest, maxSuggestions))))
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
