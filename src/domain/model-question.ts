import type { TObject } from 'typebox'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/**
 * A question about a prompt for a language model. A worker writes it, because reading a prompt takes long; the api
 * sends it, because only the api has the key.
 */
export interface ModelQuestion {
  messages: ChatMessage[]
  /** The answers that the model may give, as JSON schema. */
  schema: TObject
}

/** The fields of an answer that fit the schema. */
export type ModelAnswer = Record<string, unknown>
