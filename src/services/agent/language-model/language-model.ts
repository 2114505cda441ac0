import type { TObject } from 'typebox'
import type { ChatMessage, ModelAnswer, ModelQuestion } from '../../../domain/model-question.ts'
import { repairMessages, withSchema } from './chat-messages.ts'
import type { LanguageModelOptions } from './language-model-options.ts'
import { ModelFailure, ModelTurns } from './model-turns.ts'
import { postJson } from './post-json.ts'
import { readAnswer, type ReadAnswer } from './read-answer.ts'

const maxTokens = 800
const seed = 0
/** The ways to give the schema to a server, the strictest first. */
const formats = ['json_schema', 'json_object'] as const
type Format = typeof formats[number]
/** Status codes of servers that do not support a format, or cannot turn the schema into a grammar. */
const refusals = new Set([400, 415, 422, 501])

interface Question {
  tenant: string
  schema: TObject
  signal: AbortSignal
}
interface Completion {
  content: string
  format: Format
}

interface ModelLog {
  warn(fields: object, message: string): void
}

/**
 * A model behind an OpenAI-compatible endpoint. It is asked for one object of a schema, but its answer may be anything.
 */
export class LanguageModel {
  readonly #options: LanguageModelOptions
  readonly #log: ModelLog
  readonly #turns: ModelTurns

  /** `now`: a clock in milliseconds that never goes back. */
  constructor (options: LanguageModelOptions, log: ModelLog, now: () => number = () => performance.now()) {
    this.#options = options
    this.#log = log
    this.#turns = new ModelTurns(now)
  }

  /**
   * Asks the model on behalf of a tenant, checks the answer against the schema, and asks once more if it does not fit.
   * The time-out covers all of this, including the wait for a turn. Rejects with ModelFailure.
   */
  async ask (tenant: string, messages: readonly ChatMessage[], schema: TObject): Promise<ReadAnswer> {
    const signal = AbortSignal.timeout(this.#options.timeoutMs)
    return await this.#turns.take(tenant, signal,
      async () => await this.#askTwice({ tenant, schema, signal }, messages))
  }

  async #askTwice (question: Question, messages: readonly ChatMessage[]): Promise<ReadAnswer> {
    const { schema } = question
    const first = await this.#complete(question, messages, formats)
    const answer = readAnswer(first.content, schema)
    if (answer.faults.length === 0) return answer
    try {
      const second = await this.#complete(question, repairMessages(messages, first.content, answer.faults), [
        first.format
      ])
      return readAnswer(second.content, schema)
    } catch {
      // The failure is logged already. The valid part of the first answer still counts.
      return answer
    }
  }

  async #complete (question: Question, messages: readonly ChatMessage[],
    [format, ...weaker]: readonly Format[]): Promise<Completion> {
    const { tenant, schema, signal } = question
    const { url, model, apiKey } = this.#options
    const isStrict = format === 'json_schema'
    try {
      const text = await postJson(url, {
        apiKey,
        signal,
        body: {
          model,
          temperature: 0,
          seed,
          max_tokens: maxTokens,
          messages: isStrict ? messages : withSchema(messages, schema),
          response_format: isStrict
            ? { type: 'json_schema', json_schema: { name: 'forecast_wishes', strict: true, schema } }
            : { type: 'json_object' }
        }
      })
      const content = contentOf(text)
      this.#turns.answered(tenant)
      return { content, format: format as Format }
    } catch (error) {
      const failure = error as ModelFailure
      if (weaker.length > 0 && failure.status !== null && refusals.has(failure.status)) {
        return await this.#complete(question, messages, weaker)
      }
      if (!failure.isOfQuestion) this.#turns.failed(tenant)
      this.#log.warn({
        reason: failure.reason,
        status: failure.status,
        code: (failure.cause as NodeJS.ErrnoException | undefined)?.code
      }, 'language model')
      throw failure
    }
  }
}

function contentOf (text: string): string {
  let content: unknown
  try {
    content = (JSON.parse(text) as { choices?: Array<{ message?: { content?: unknown } }> } | null)?.choices?.[0]
      ?.message?.content
  } catch (cause) {
    throw new ModelFailure('no_content', { cause })
  }
  if (typeof content !== 'string' || content === '') throw new ModelFailure('no_content')
  return content
}

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
