import type { ClarificationQuestion } from '../../../domain/forecast-intent.ts'
import { ask } from '../questions.ts'

/** A field of an intent: its value, how sure the value is, and the question to ask if it is uncertain. */
export interface Choice<T> {
  value: T
  /** How sure the value is, from 0 to 1; 0: nothing is known. */
  weight: number
  question?: ClarificationQuestion
}

/** The weight of a value that comes from the data because the prompt gives none. */
export const inferredWeight = 0.8

/** The choice for a field without any evidence, which a question asks for. */
export function open (field: string, question: string, suggestions: readonly string[]): Choice<null> {
  return { value: null, weight: 0, question: ask(field, question, suggestions) }
}
