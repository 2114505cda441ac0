import type { TObject } from 'typebox'
import type { ChatMessage } from '../../queue/model-question.ts'
import { repairMessages, withSchema } from './chat-messages.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import type { LanguageModelOptions } from './language-model-options.ts'
import { ModelFailure } from './model-failure.ts'
import { postJson } from './post-json.ts'
import { readAnswer, type ReadAnswer } from './read-answer.ts'

const maxTokens = 800
const seed = 0
/** How a server is told of the schema, the strictest first. */
const formats = ['json_schema', 'json_object'] as const
type Format = typeof formats[number]
/** Of servers that do not know a format, or cannot make a grammar of the schema. */
const refusals = new Set([400, 415, 422, 501])

interface Completion { content: string, format: Format }

interface ModelLog { warn (fields: object, message: string): void }

/** A model behind an OpenAI-compatible endpoint, which is asked for one object of a schema and may do whatever it likes. */
export class LanguageModel {
  readonly #options: LanguageModelOptions
  readonly #log: ModelLog
  readonly #breaker: CircuitBreaker

  /** `now`: milliseconds of a clock that never goes back. */
  constructor (options: LanguageModelOptions, log: ModelLog, now: () => number = () => performance.now()) {
    this.#options = options
    this.#log = log
    this.#breaker = new CircuitBreaker(now)
  }

  /** What the model answers, held against the schema; asked once more where it does not fit. All of it within the time-out. Rejects with ModelFailure. */
  async ask (messages: readonly ChatMessage[], schema: TObject): Promise<ReadAnswer> {
    if (!this.#breaker.admits()) throw new ModelFailure('paused')
    const signal = AbortSignal.timeout(this.#options.timeoutMs)
    const first = await this.#complete(messages, schema, formats, signal)
    const answer = readAnswer(first.content, schema)
    if (answer.faults.length === 0) return answer
    try {
      const second = await this.#complete(repairMessages(messages, first.content, answer.faults), schema, [first.format], signal)
      return readAnswer(second.content, schema)
    } catch {
      // It has been logged; what was valid of the first answer is still there.
      return answer
    }
  }

  async #complete (messages: readonly ChatMessage[], schema: TObject, [format, ...weaker]: readonly Format[], signal: AbortSignal): Promise<Completion> {
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
          response_format: isStrict ? { type: 'json_schema', json_schema: { name: 'forecast_wishes', strict: true, schema } } : { type: 'json_object' }
        }
      })
      const content = contentOf(text)
      this.#breaker.succeeded()
      return { content, format: format as Format }
    } catch (error) {
      const failure = error as ModelFailure
      if (weaker.length > 0 && failure.status !== null && refusals.has(failure.status)) return await this.#complete(messages, schema, weaker, signal)
      this.#breaker.failed()
      this.#log.warn({ reason: failure.reason, status: failure.status, code: (failure.cause as NodeJS.ErrnoException | undefined)?.code }, 'language model')
      throw failure
    }
  }
}

function contentOf (text: string): string {
  let content: unknown
  try {
    content = (JSON.parse(text) as { choices?: Array<{ message?: { content?: unknown } }> } | null)?.choices?.[0]?.message?.content
  } catch (cause) {
    throw new ModelFailure('no_content', { cause })
  }
  if (typeof content !== 'string' || content === '') throw new ModelFailure('no_content')
  return content
}
