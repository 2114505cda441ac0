import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** One request with exactly these headers; without Content-Length the body goes in chunks. */
export async function send (method: string, url: string, headers: Record<string, string> = {},
  body?: Uint8Array): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      buffer(response).then((body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject)
    })
    sent.on('error', reject)
    sent.flushHeaders()
    sent.end(body)
  })
}
