import type { ClarificationQuestion } from '../../../domain/forecast-intent.ts'
import { ask } from '../questions.ts'

/** A field of an intent: its value, how sure it is, and what to ask where it is not. */
export interface Choice<T> {
  value: T
  /** 0 to 1; 0 where nothing is known. */
  weight: number
  question?: ClarificationQuestion
}

/** Of what the data say where the prompt says nothing. */
export const inferredWeight = 0.8

/** Nothing is known of a field that is asked for. */
export function open (field: string, question: string, suggestions: readonly string[]): Choice<null> {
  return { value: null, weight: 0, question: ask(field, question, suggestions) }
}
