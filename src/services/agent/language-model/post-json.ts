import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { ModelFailure } from './model-turns.ts'

export const maxAnswerBytes = 64 * 1024

// Agents of our own: those of the process may be told by the environment to use a proxy.
const agents = { http: new HttpAgent(), https: new HttpsAgent() }

export interface PostOptions {
  body: unknown
  /** Empty: none is sent. */
  apiKey: string
  signal: AbortSignal
}

/**
 * The text of the answer to a request with a JSON body. Redirects are answers like any other that is not 200. Rejects
 * with ModelFailure.
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
    // An error behind the answer's head is that of the answer as well.
    request.on('error', reject)
    request.end(text)
  })
}

async function readText (response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  // Leaving the loop closes the connection.
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxAnswerBytes) throw new ModelFailure('too_large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
