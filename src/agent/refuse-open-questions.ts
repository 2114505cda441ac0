import { TabcastError, type FieldError } from '../errors.ts'
import type { ClarificationQuestion, ForecastIntent } from '../queue/forecast-intent.ts'

/** Fields of the form that answer a question of the intent. */
const formFields: Record<string, string> = { forecast_target: 'target_column', time_column: 'timestamp_column', entity_columns: 'item_id_column', horizon: 'horizon' }

/** Throws validation_error with all questions that are not among `answered`: a job must not rest on a guess. `from` is the field that the questions are about. */
export function refuseOpenQuestions ({ clarification_questions: questions }: ForecastIntent, from: 'prompt' | 'intent', isAnswered: (question: ClarificationQuestion) => boolean): void {
  const open = questions.filter((question) => !isAnswered(question))
  if (open.length === 0) return
  throw new TabcastError('validation_error', undefined, { fields: open.map((question) => fieldError(question, from)) })
}

function fieldError ({ field, question, suggestions }: ClarificationQuestion, from: 'prompt' | 'intent'): FieldError {
  const formField = formFields[field]
  const hint = suggestions.length === 0 ? '' : ` For example: ${suggestions.join(', ')}.`
  const remedy = from === 'intent' ? ` Change ${field} of the intent.` : formField === undefined ? ' Say it in the prompt.' : ` Say it in the prompt, or give ${formField}.`
  return { loc: ['body', ...from === 'intent' ? ['intent', field] : [formField ?? 'prompt']], msg: `${question}${hint}${remedy}`, type: 'needs_clarification', ctx: { suggestions } }
}
