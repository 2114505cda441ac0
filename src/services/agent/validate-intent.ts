import type { ClarificationQuestion, ForecastIntent } from '../../domain/forecast-intent.ts'
import { granularities, type Granularity } from '../../domain/intent-values.ts'
import { openHorizonQuestion } from './choices/choose-horizon.ts'
import type { DatasetProfile } from './dataset-profile.ts'
import { ask, chooseQuestions, missingFields, nearestNames, suggestHorizons } from './questions.ts'

const nearest = 3
const columnFields = ['forecast_target', 'time_column', 'entity_columns', 'grouping_dimensions', 'covariates',
  'known_future_features', 'historical_features'] as const

/** An intent that a client filled in or changed. Fields with a default may be missing. */
export type PartialIntent = Partial<ForecastIntent>

/**
 * Determines the missing fields, the questions and the status of an intent again, from its own fields and from the
 * columns and profile that the client sent.
 */
export function validateIntent (intent: PartialIntent, columns: readonly string[],
  profile?: DatasetProfile): ForecastIntent {
  const complete: ForecastIntent = { ...defaults(profile), ...withoutUndefined(intent) }
  const missing = missingFields(complete)
  // The search for similar names is slow, so it is only made for the chosen questions.
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

/** Names that are not columns, each with the field that has it. */
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

/** An undefined field must not override its default. */
function withoutUndefined (intent: PartialIntent): PartialIntent {
  return Object.fromEntries(Object.entries(intent).filter(([, value]) => value !== undefined))
}
