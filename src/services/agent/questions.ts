import type { ClarificationQuestion, ForecastIntent } from '../../domain/forecast-intent.ts'
import { editDistance } from '../../platform/edit-distance.ts'

/** Fields that an intent must have. The horizon may be given as a quantity and its unit instead. */
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

/** Chooses at most three questions, one per field, the most important first. */
export function chooseQuestions<Question extends { field: string }> (questions: readonly Question[]): Question[] {
  const rank = (
    { field }: Question
  ): number => (importance.includes(field) ? importance.indexOf(field) : importance.length)
  const firstOfField = questions.filter(({ field }, index) =>
    questions.findIndex((other) => other.field === field) === index
  )
  return firstOfField.sort((left, right) => rank(left) - rank(right)).slice(0, maxQuestions)
}

/** How many characters of a name are compared. The time grows with their square, and a request waits for the result. */
const compared = 40

/** The names that differ least from an unknown name. */
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
