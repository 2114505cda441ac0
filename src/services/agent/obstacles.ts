import type { DataProfile } from '../../domain/data-profile.ts'
import type { FieldError } from '../../domain/error-codes.ts'
import type { ClarificationQuestion, ForecastIntent } from '../../domain/forecast-intent.ts'
import { TabcastError } from '../../platform/errors.ts'
import { openHorizonQuestion } from './choices/choose-horizon.ts'
import { combinedSteps, tooFewSteps } from '../recommendations/combined-steps.ts'
import { stepsWanted } from '../recommendations/steps-ahead.ts'
import type { WishSource } from './wish-refusal.ts'

/** The field of the form that answers a question of the intent. */
const formFields: Record<string, string> = {
  forecast_target: 'target_column',
  time_column: 'timestamp_column',
  entity_columns: 'item_id_column',
  horizon: 'horizon'
}

export interface ObstacleInput {
  intent: ForecastIntent
  data: DataProfile
  /** The number of steps from the form, which settles the horizon. */
  horizon: number | null
  maxHorizon: number
  /** Where the intent comes from. */
  source: WishSource
}

/** A reason against a forecast that is known before any row is checked. */
export interface Obstacle {
  /** The error that refuses a forecast. */
  error: FieldError
  /** The warning if the request is not refused, but the forecast would differ from what was asked for. */
  sentence: string
}

/**
 * Finds what prevents the forecast that was asked for: open questions about it, and steps that cannot be forecast.
 * `forecast` refuses these, and `analyze` warns about them. Both call this function, so that they agree.
 */
export function obstaclesOf ({ intent, data, horizon, maxHorizon, source }: ObstacleInput): Obstacle[] {
  const open = intent.clarification_questions.filter((question) => !isLeftToData(question, source))
  const questions = open.map((question): Obstacle => ({
    error: questionError(question, source),
    sentence: questionSentence(question)
  }))
  if (data.series === null || questions.length > 0) return questions
  return stepObstacles(intent, data, horizon, maxHorizon, source)
}

export function refuseObstacles (input: ObstacleInput): void {
  const obstacles = obstaclesOf(input)
  if (obstacles.length > 0) {
    throw new TabcastError('validation_error', undefined, { fields: obstacles.map(({ error }) => error) })
  }
}

/** Whether the data decide: if the prompt does not mention a horizon, the data do. */
function isLeftToData ({ question }: ClarificationQuestion, source: WishSource): boolean {
  return source === 'prompt' && question === openHorizonQuestion
}

function stepObstacles (intent: ForecastIntent, data: DataProfile, horizon: number | null, maxHorizon: number,
  source: WishSource): Obstacle[] {
  const combined = combinedSteps(intent, data)
  const at = (field: string): FieldError['loc'] => ['body', ...source === 'prompt' ? ['prompt'] : ['intent', field]]
  if (combined.tooFine !== null) {
    const msg =
      `The data have steps of ${data.series?.freq}, which cannot be forecast in steps of ${combined.tooFine}. Ask ` +
      'for longer steps.'
    return [obstacle({ loc: at('granularity'), msg, type: 'steps_too_fine' })]
  }
  if (combined.tooLong !== null) {
    return [
      obstacle({
        loc: at('granularity'),
        msg: `${tooFewSteps(combined.tooLong)} Ask for shorter steps, or send a longer history.`,
        type: 'steps_too_long'
      })
    ]
  }
  const wanted = horizon ?? stepsWanted(intent, data, combined)
  if (wanted === undefined || wanted <= maxHorizon) return []
  return [
    obstacle({
      loc: at('horizon'),
      msg:
        `${wanted} steps were asked for, and this deployment forecasts at most ${maxHorizon}. Ask for a nearer end, ` +
        'or for longer steps.',
      type: 'horizon_too_long'
    })
  ]
}

function obstacle (error: FieldError): Obstacle {
  return { error, sentence: error.msg }
}

function questionError ({ field, question, suggestions }: ClarificationQuestion, source: WishSource): FieldError {
  const formField = formFields[field]
  const hint = suggestions.length === 0 ? '' : ` For example: ${suggestions.join(', ')}.`
  const remedy = source === 'intent'
    ? ` Change ${field} of the intent.`
    : formField === undefined
    ? ' Say it in the prompt.'
    : ` Say it in the prompt, or give ${formField}.`
  return {
    loc: ['body', ...source === 'intent' ? ['intent', field] : [formField ?? 'prompt']],
    msg: `${question}${hint}${remedy}`,
    type: 'needs_clarification',
    ctx: { suggestions }
  }
}

function questionSentence ({ field, question, suggestions }: ClarificationQuestion): string {
  return `${field}: ${question}${
    suggestions.length === 0 ? '' : ` (${suggestions.join(', ')})`
  } What is recommended rests on a guess here, and a forecast is refused until it is said.`
}
