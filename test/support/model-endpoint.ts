import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { loadConfig } from '../../src/platform/config.ts'
import { languageModelOptions } from '../../src/services/agent/language-model/language-model-options.ts'
import { LanguageModel } from '../../src/services/agent/language-model/language-model.ts'
import { silentLog } from './silent-log.ts'

export interface ModelRequest {
  method: string | undefined
  path: string | undefined
  authorization: string | undefined
  text: string
  body: {
    model: string
    temperature: number
    seed: number
    max_tokens: number
    messages: Array<{ role: string, content: string }>
    response_format: { type: string, json_schema?: { strict: boolean, schema: JsonSchema } }
  }
}

export interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean
  items?: JsonSchema
}

export type ModelAnswer = (response: ServerResponse, request: ModelRequest, index: number) => void

export interface ModelEndpoint {
  url: string
  requests: ModelRequest[]
  answer: ModelAnswer
}

/** An OpenAI-compatible server of somebody else, which answers as the test says. */
export async function openModelEndpoint (t: Test, answer: ModelAnswer): Promise<ModelEndpoint> {
  const endpoint: ModelEndpoint = { url: '', requests: [], answer }
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
    }).on('end', () => {
      const { method, url: path, headers: { authorization } } = request
      const asked = { method, path, authorization, text, body: JSON.parse(text) as ModelRequest['body'] }
      endpoint.requests.push(asked)
      endpoint.answer(response, asked, endpoint.requests.length - 1)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return endpoint
}

/** A chat completion of that content; what is no text is said as JSON. */
export function says (content: unknown): ModelAnswer {
  return (response) => {
    response.end(
      JSON.stringify({
        choices: [{
          index: 0,
          message: { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) },
          finish_reason: 'stop'
        }]
      })
    )
  }
}

interface ModelSettings {
  apiKey?: string
  timeoutMs?: number
  log?: ConstructorParameters<typeof LanguageModel>[1]
  now?: () => number
}

/** A model as the settings open it. */
export function modelAt (url: string,
  { apiKey = '', timeoutMs = 10_000, log = silentLog, now }: ModelSettings = {}): LanguageModel {
  const options = languageModelOptions(
    loadConfig({
      TABCAST_LLM_BASE_URL: url,
      TABCAST_LLM_MODEL: 'local-7b',
      TABCAST_LLM_API_KEY: apiKey,
      TABCAST_LLM_TIMEOUT_MS: String(timeoutMs)
    })
  )
  if (options === null) throw new Error('no language model')
  return new LanguageModel(options, log, now)
}
