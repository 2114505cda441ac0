import { decode, encode } from 'cborg'
import type { DataProfile } from '../../src/domain/data-profile.ts'
import type { ForecastIntent } from '../../src/domain/forecast-intent.ts'
import { extractIntent } from '../../src/services/agent/extract-intent.ts'
import { askModel, type LanguageModel,
  type ModelWarning } from '../../src/services/agent/language-model/language-model.ts'
import { fillIntent, modelQuestion } from '../../src/services/agent/read-with-model.ts'

export interface Understanding {
  intent: ForecastIntent
  generatedBy: 'rules' | 'model'
  warnings: ModelWarning[]
}

/** What a worker and the api make of a prompt together, with what goes between them as it goes through the queue. */
export async function understandPrompt (prompt: string, data: DataProfile, model: LanguageModel | null,
  tenant = 'acme'): Promise<Understanding> {
  const byRules = { intent: extractIntent(prompt, data), generatedBy: 'rules' as const, warnings: [] }
  const question = modelQuestion(prompt, data)
  if (model === null || question === null) return byRules
  const { answer, warnings } = await askModel(model, tenant, throughQueue(question))
  const filled = answer === null ? undefined : fillIntent(prompt, data, throughQueue(answer))
  return filled === undefined ? { ...byRules, warnings } : { intent: filled, generatedBy: 'model', warnings }
}

function throughQueue<T> (message: T): T {
  return decode(encode(message)) as T
}
