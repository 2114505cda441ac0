import type { DataProfile } from '../queue/data-profile.ts'
import { assembleIntent, coverageOf } from './assemble-intent.ts'
import type { ForecastIntent } from '../queue/forecast-intent.ts'
import { answerSchema } from './language-model/answer-schema.ts'
import { answeredQuotes, answeredWishes } from './language-model/answered-wishes.ts'
import { firstMessages } from './language-model/chat-messages.ts'
import { describeData } from './language-model/described-data.ts'
import type { LanguageModel } from './language-model/language-model.ts'
import { ModelFailure } from './language-model/model-failure.ts'
import { openFields } from './language-model/open-fields.ts'
import { notUsedLead } from './not-used.ts'
import { readWishes, type ReadWishes } from './read-wishes.ts'

export interface Understanding {
  intent: ForecastIntent
  /** `model`: at least one field of the intent is from the language model. */
  generatedBy: 'rules' | 'model'
  /** Why the language model said nothing, or not all of what it said was taken. */
  warnings: UnderstandingWarning[]
}

export interface UnderstandingWarning {
  code: 'language_model_unavailable' | 'language_model_answer_invalid'
  message: string
}

/**
 * What a prompt wants forecast of these data: what the rules find in it and, with a model, of what they leave open what the model finds. Every column is one of
 * the data, and steps are counted by the rules, whatever a model answers; whatever fails, the intent is that of the rules, byte for byte. Never rejects for the model.
 */
export async function understandPrompt (prompt: string, data: DataProfile, model: LanguageModel | null): Promise<Understanding> {
  const wishes = readWishes(prompt, data)
  const intent = assembleIntent(wishes)
  const byRules: Understanding = { intent, generatedBy: 'rules', warnings: [] }
  // Where every word was understood, or there is none, a model has nothing to add.
  if (model === null || !hasUnusedWords(wishes)) return byRules
  const open = openFields(wishes.findings, intent)
  try {
    const { valid, faults } = await model.ask(firstMessages(prompt, describeData(data)), answerSchema(open, data))
    const warnings: UnderstandingWarning[] = faults.length === 0 ? [] : [{ code: 'language_model_answer_invalid', message: 'The language model\'s answer was not valid; only what is valid of it was taken.' }]
    const filled = fill(wishes, intent, valid)
    return filled === undefined ? { ...byRules, warnings } : { intent: filled, generatedBy: 'model', warnings }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    return { ...byRules, warnings: [{ code: 'language_model_unavailable', message: `The language model was not used: ${error.message}.` }] }
  }
}

function hasUnusedWords (wishes: ReadWishes): boolean {
  const { share, words } = coverageOf(wishes)
  return words > 0 && share < 1
}

/** The intent with what the model found; undefined where that changes none of its fields. */
function fill (wishes: ReadWishes, intent: ForecastIntent, valid: Record<string, unknown>): ForecastIntent | undefined {
  const { findings, objective } = answeredWishes(valid, wishes.reading)
  const joined: ReadWishes = { ...wishes, findings: [...wishes.findings, ...findings], objective: wishes.objective ?? objective }
  if (contentOf(assembleIntent(joined)) === contentOf(intent)) return undefined
  return assembleIntent({ ...joined, isByModel: true, findings: [...joined.findings, ...answeredQuotes(valid, wishes.reading)] })
}

/** Everything but how sure it is and what was not used. */
function contentOf ({ confidence, user_constraints: constraints, ...content }: ForecastIntent): string {
  return JSON.stringify([content, constraints.filter((text) => !text.startsWith(notUsedLead))])
}
