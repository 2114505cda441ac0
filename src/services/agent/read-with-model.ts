import type { DataProfile } from '../../domain/data-profile.ts'
import type { ForecastIntent } from '../../domain/forecast-intent.ts'
import type { ModelAnswer, ModelQuestion } from '../../domain/model-question.ts'
import { assembleIntent, coverageOf } from './assemble-intent.ts'
import { answeredQuotes, answeredWishes, answerSchema } from './language-model/answer-fields.ts'
import { firstMessages } from './language-model/chat-messages.ts'
import { describeData } from './language-model/described-data.ts'
import { notUsedLead } from './not-used.ts'
import { readWishes, type ReadWishes } from './read-wishes.ts'

/*
 * The two halves of reading a prompt with a language model: before and after its answer. Both run in a slot, without
 * network, clock or chance.
 */

/**
 * The question for a model; null if all words were understood, or the prompt has none, because a model could add
 * nothing.
 */
export function modelQuestion (prompt: string, data: DataProfile): ModelQuestion | null {
  const wishes = readWishes(prompt, data)
  const { share, words } = coverageOf(wishes)
  if (words === 0 || share >= 1) return null
  const schema = answerSchema(wishes.findings, assembleIntent(wishes), data)
  return { messages: firstMessages(prompt, describeData(data)), schema }
}

/**
 * The intent of the rules, with the model's findings for the fields that they leave open; undefined if these change
 * nothing. Whatever a model answers, every column is one of the data, and the rules count the steps.
 */
export function fillIntent (prompt: string, data: DataProfile, answer: ModelAnswer): ForecastIntent | undefined {
  const wishes = readWishes(prompt, data)
  const { findings, objective } = answeredWishes(answer, wishes.reading)
  const joined: ReadWishes = {
    ...wishes,
    findings: [...wishes.findings, ...findings],
    objective: wishes.objective ?? objective
  }
  if (contentOf(assembleIntent(joined)) === contentOf(assembleIntent(wishes))) return undefined
  return assembleIntent({
    ...joined,
    isByModel: true,
    findings: [...joined.findings, ...answeredQuotes(answer, wishes.reading)]
  })
}

/** All of the intent except its confidence and the unused words. */
function contentOf ({ confidence, user_constraints: constraints, ...content }: ForecastIntent): string {
  return JSON.stringify([content, constraints.filter((text) => !text.startsWith(notUsedLead))])
}
