import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { ModelFailure } from './model-turns.ts'

export const maxAnswerBytes = 64 * 1024

// Own agents, because the environment may make those of the process use a proxy.
const agents = { http: new HttpAgent(), https: new HttpsAgent() }

export interface PostOptions {
  body: unknown
  /** Empty: no key is sent. */
  apiKey: string
  signal: AbortSignal
}

/**
 * Posts a JSON body and returns the text of the answer. A redirect counts like any other status that is not 200.
 * Rejects with ModelFailure.
 */
export async function postJson (url: URL, { body, apiKey, signal }: PostOptions): Promise<string> {
  try {
    signal.throwIfAborted()
    const response = await send(url, JSON.stringify(body), apiKey, signal)
    if (response.statusCode !== 200) {
      response.destroy()
      throw new ModelFailure('status', { status: response.statusCode ?? null })
    }
    return await readText(response)
  } catch (error) {
    if (error instanceof ModelFailure) throw error
    throw new ModelFailure(signal.aborted ? 'timeout' : 'connection', { cause: error })
  }
}

async function send (url: URL, text: string, apiKey: string, signal: AbortSignal): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  return await new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: isSecure ? agents.https : agents.http,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` })
      }
    }, resolve)
    // This also covers errors after the head of the answer.
    request.on('error', reject)
    request.end(text)
  })
}

async function readText (response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  // Leaving the loop early closes the connection.
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxAnswerBytes) throw new ModelFailure('too_large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
