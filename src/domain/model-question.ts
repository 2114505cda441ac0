import type { TObject } from 'typebox'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/**
 * What a language model is asked of a prompt. A worker makes it, because reading a prompt takes long; the api, which
 * has the key, asks.
 */
export interface ModelQuestion {
  messages: ChatMessage[]
  /** What the model may answer, as JSON schema. */
  schema: TObject
}

/** What of an answer fits the schema, by field. */
export type ModelAnswer = Record<string, unknown>
