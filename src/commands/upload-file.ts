import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { defined } from '../platform/defined.ts'

export interface FileUpload {
  url: string
  headers: Record<string, string>
  path: string
  /** Form fields, sent before the file. */
  fields: Record<string, string>
  signal?: AbortSignal
  /** Called with the fraction of the file that the connection has taken, from 0 to 1. */
  onSent?: (fraction: number) => void
}

export interface UploadAnswer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

const chunkBytes = 256 * 1024

/**
 * Sends a form with a file that is streamed from disk. `fetch` reads ahead of the connection and would hold the file in
 * memory. An answer before the end (too large, unknown key) stops the upload. Rejects when the connection fails before
 * an answer.
 */
export async function uploadFile ({ url, headers, path, fields, signal, onSent }: FileUpload): Promise<UploadAnswer> {
  const { size } = await stat(path)
  const boundary = `tabcast-${randomBytes(16).toString('hex')}`
  const head = formHead(boundary, fields, basename(path))
  const tail = `\r\n--${boundary}--\r\n`
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const request = send(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': Buffer.byteLength(head) + size + Buffer.byteLength(tail)
    },
    agent: false,
    ...defined({ signal })
  })
  let isAnswered = false
  const answered = new Promise<UploadAnswer>((resolve, reject) => {
    request.once('error', reject).once('response', (answer: IncomingMessage) => {
      isAnswered = true
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject)
    })
  })
  // It is awaited at the end; until then the send reports the failure.
  answered.catch(() => undefined)
  const flushed = async (): Promise<unknown> =>
    await Promise.race([once(request, 'drain').catch(() => answered), answered])

  request.write(head)
  let sent = 0
  if (size > 0) {
    for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: chunkBytes })) {
      if (isAnswered) break
      if (!request.write(chunk)) await flushed()
      sent += (chunk as Buffer).length
      onSent?.(sent / size)
    }
  }
  if (!isAnswered && sent < size) {
    request.destroy()
    throw new Error(`${path} became shorter while it was sent: ${sent} of ${size} bytes`)
  }
  if (!isAnswered) request.end(tail)
  const answer = await answered
  // The unsent rest would keep the connection open.
  if (sent < size) request.destroy()
  return answer
}

/**
 * How names are escaped: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data.
 */
function formHead (boundary: string, fields: Record<string, string>, filename: string): string {
  const escaped = filename.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const parts = Object.entries(fields).map(([name, value]) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  return `${
    parts.join('')
  }--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${escaped}"\r\ncontent-type: application/octet-stream\r\n\r\n`
}
