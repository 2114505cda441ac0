import type { ClarificationQuestion, ForecastIntent } from '../../domain/forecast-intent.ts'
import type { Granularity } from '../../domain/intent-values.ts'
import { editDistance } from '../../platform/text/edit-distance.ts'

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

/** The number of characters that are compared. The time grows with its square, and a request waits for it. */
const compared = 40

/** The names with the fewest edits from a name that does not exist. */
export function nearestNames (name: string, names: readonly string[], count: number): string[] {
  const wanted = name.toLowerCase().slice(0, compared)
  let nearest: Array<{ other: string, distance: number }> = []
  for (const other of names) {
    // A name counts only if it is nearer than the last of those found so far.
    const most = nearest.length < count ? Infinity : (nearest.at(-1)?.distance ?? 0) - 1
    const distance = editDistance(wanted, other.toLowerCase().slice(0, compared), most)
    if (distance > most) continue
    nearest = [...nearest, { other, distance }].sort((left, right) => left.distance - right.distance).slice(0, count)
  }
  return nearest.map(({ other }) => other)
}

function isEmpty (value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function isPositive (value: unknown): boolean {
  return typeof value === 'number' && value > 0
}

const lengths: Record<Exclude<Granularity, 'irregular'>, [number, string][]> = {
  minutely: [[60, '1 hour'], [360, '6 hours'], [1440, '1 day'], [10, '10 minutes']],
  five_minutely: [[12, '1 hour'], [72, '6 hours'], [288, '1 day'], [2016, '1 week']],
  quarter_hourly: [[96, '1 day'], [192, '2 days'], [672, '1 week'], [4, '1 hour']],
  half_hourly: [[48, '1 day'], [96, '2 days'], [336, '1 week'], [672, '2 weeks']],
  hourly: [[24, '1 day'], [48, '2 days'], [168, '1 week'], [336, '2 weeks']],
  daily: [[7, '7 days'], [14, '14 days'], [28, '4 weeks'], [90, '90 days']],
  business_daily: [[5, '1 week'], [10, '2 weeks'], [20, '4 weeks'], [65, '3 months']],
  weekly: [[4, '4 weeks'], [8, '8 weeks'], [13, '13 weeks'], [26, '26 weeks']],
  monthly: [[3, '3 months'], [6, '6 months'], [12, '12 months'], [24, '24 months']],
  quarterly: [[2, '2 quarters'], [4, '4 quarters'], [8, '8 quarters']],
  yearly: [[1, '1 year'], [2, '2 years'], [3, '3 years']]
}

/**
 * Suggests horizons that suit the granularity and are short enough for this many steps of history. The shortest is
 * always suggested.
 */
export function suggestHorizons (granularity: Granularity | null, history: number): string[] {
  const known = lengths[granularity === null || granularity === 'irregular' ? 'daily' : granularity]
  const short = Math.min(...known.map(([steps]) => steps))
  return known.filter(([steps]) => steps === short || steps <= history / 4).sort(([left], [right]) => left - right).map(
    ([, text]) => text
  )
}
