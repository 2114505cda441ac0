import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Answer } from './expect-error.ts'

export interface RawConnection {
  socket: Socket
  send(bytes: string | Uint8Array): void
  /**
   * The answer, read until its announced length is there or the server ends the connection. Rejects after `limitMs`.
   */
  answer(limitMs?: number): Promise<Answer>
  /** Everything that has come so far. */
  received(): string
  /**
   * How the connection ended: `end` when the server said so, `reset` when it was torn down. Rejects after `limitMs`.
   */
  ended(limitMs?: number): Promise<'end' | 'reset'>
}

/** A client that writes bytes as they are, where `fetch` would refuse to. */
export async function openRaw (baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  let end: 'end' | 'reset' | undefined
  socket.on('data', (bytes: Buffer) => received.push(bytes))
  socket.on('end', () => {
    end ??= 'end'
  })
  // A peer that closed makes later writes fail; that is what some tests provoke.
  socket.on('error', () => {
    end ??= 'reset'
  })
  await once(socket, 'connect')
  const settled = async <T>(what: string, limitMs: number, probe: () => T | undefined): Promise<T> => {
    const endMs = performance.now() + limitMs
    for (;;) {
      const found = probe()
      if (found !== undefined) return found
      if (performance.now() > endMs) {
        throw new Error(
          `waited ${limitMs} ms for ${what}; received: ${Buffer.concat(received).toString('latin1').slice(0, 300)}`
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return {
    socket,
    send: (bytes) => {
      socket.write(bytes)
    },
    answer: (limitMs = 10_000) =>
      settled('an answer', limitMs, () => parseAnswer(Buffer.concat(received), end !== undefined)),
    received: () => Buffer.concat(received).toString('latin1'),
    ended: (limitMs = 10_000) => settled('the end of the connection', limitMs, () => end)
  }
}

function parseAnswer (bytes: Buffer, isComplete: boolean): Answer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) {
    if (isComplete) throw new Error(`the connection ended without an answer: ${bytes.toString('latin1').slice(0, 300)}`)
    return undefined
  }
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  )
  const body = bytes.subarray(headEnd + 4)
  if (status === 100) return parseAnswer(body, isComplete)
  const length = headers.get('content-length')
  if (length === null ? !isComplete : body.length < Number(length)) {
    if (isComplete) throw new Error(`the connection ended within the answer: ${bytes.toString('latin1').slice(0, 300)}`)
    return undefined
  }
  return { status, headers, text: body.toString('utf8') }
}

export const boundary = 'tabcast-test-boundary'

/** What stands before the file's bytes, and after them. */
export function multipartAround (filename: string,
  fields: Record<string, string> = {}): { head: string, tail: string } {
  const parts = Object.entries(fields).map(([name, value]) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  const file =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ` +
    'text/csv\r\n\r\n'
  return { head: parts.join('') + file, tail: `\r\n--${boundary}--\r\n` }
}

export function requestHead (method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

export function uploadHead (key: string, headers: Record<string, string>): string {
  return requestHead('POST', '/forecast', {
    authorization: `Bearer ${key}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    ...headers
  })
}
