import type { ModelAnswer, ModelQuestion } from '../../../domain/model-question.ts'
import type { LanguageModel } from './language-model.ts'
import { ModelFailure } from './model-failure.ts'

export interface AskedModel {
  /** null: the answer has nothing useful. */
  answer: ModelAnswer | null
  /** Why there is no answer, or why parts of it were dropped. */
  warnings: ModelWarning[]
}

export interface ModelWarning {
  code: 'language_model_unavailable' | 'language_model_answer_invalid'
  message: string
}

/** Asks the model. Never rejects because of a failure of the model. */
export async function askModel (model: LanguageModel, tenant: string,
  { messages, schema }: ModelQuestion): Promise<AskedModel> {
  try {
    const { valid, faults } = await model.ask(tenant, messages, schema)
    const warnings: ModelWarning[] = faults.length === 0
      ? []
      : [{
        code: 'language_model_answer_invalid',
        message: "The language model's answer was not valid; only what is valid of it was taken."
      }]
    return { answer: saysNothing(valid) ? null : valid, warnings }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    return {
      answer: null,
      warnings: [{ code: 'language_model_unavailable', message: `The language model was not used: ${error.message}.` }]
    }
  }
}

/** Quotes alone are no answer; they only tell what an answer is based on. */
function saysNothing ({ quotes: _quotes, ...fields }: ModelAnswer): boolean {
  return Object.values(fields).every((value) => value === null || (Array.isArray(value) && value.length === 0))
}
