import type { ClarificationQuestion, ForecastIntent } from '../../domain/forecast-intent.ts'
import { editDistance } from '../../platform/edit-distance.ts'

/** What cannot be missing; a horizon may be a quantity and its unit. */
export const requiredFields = ['forecast_target', 'time_column', 'granularity', 'horizon'] as const
type RequiredField = typeof requiredFields[number]

const maxQuestions = 3
export const maxSuggestions = 4
const importance = ['forecast_target', 'time_column', 'horizon', 'granularity', 'entity_columns', 'grouping_dimensions',
  'filters', 'covariates', 'known_future_features', 'historical_features']

export function missingFields (intent: Partial<ForecastIntent>): RequiredField[] {
  return requiredFields.filter((field) => {
    if (field !== 'horizon') return isEmpty(intent[field])
    const hasQuantity = isPositive(intent.horizon_quantity) && !isEmpty(intent.horizon_unit)
    return !isPositive(intent.horizon) && !hasQuantity
  })
}

export function ask (field: string, question: string, suggestions: readonly string[]): ClarificationQuestion {
  return { field, question, suggestions: [...new Set(suggestions)].slice(0, maxSuggestions) }
}

/** At most three, one a field, the most important first. */
export function chooseQuestions<Question extends { field: string }> (questions: readonly Question[]): Question[] {
  const rank = (
    { field }: Question
  ): number => (importance.includes(field) ? importance.indexOf(field) : importance.length)
  const firstOfField = questions.filter(({ field }, index) =>
    questions.findIndex((other) => other.field === field) === index
  )
  return firstOfField.sort((left, right) => rank(left) - rank(right)).slice(0, maxQuestions)
}

/** Characters that are compared: the time is their square, and a request waits for it. */
const compared = 40

/** The names with the fewest changes to one that is none. */
export function nearestNames (name: string, names: readonly string[], count: number): string[] {
  const wanted = name.toLowerCase().slice(0, compared)
  return names.map((other) => ({ other, distance: editDistance(wanted, other.toLowerCase().slice(0, compared)) }))
    .sort((left, right) => left.distance - right.distance).slice(0, count).map(({ other }) => other)
}

function isEmpty (value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function isPositive (value: unknown): boolean {
  return typeof value === 'number' && value > 0
}
