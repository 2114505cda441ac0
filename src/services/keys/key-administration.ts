import { request } from 'node:http'
import { connect } from 'node:net'
import type { KeySummary } from './key-record.ts'
import type { NewKey } from './key-service.ts'
import { KeyInputError } from './scopes.ts'
import { assertSocketPath } from './socket-path.ts'

/** Key administration for the command line: through the socket of the running api, or directly on the data folder. */
export interface KeyAdministration {
  create(options: NewKey): Promise<{ key: string, summary: KeySummary }>
  /** One page, in the order of the key service. */
  list(after?: string): Promise<KeySummary[]>
  find(id: string): Promise<KeySummary | undefined>
  rotate(id: string, options: { overlapMs?: number }): Promise<{ key: string, summary: KeySummary }>
  revoke(id: string): Promise<boolean>
}

/** Connects to the api that owns the data folder; undefined when no api listens on the socket. */
export async function connectKeySocket (path: string): Promise<KeyAdministration | undefined> {
  if (!await isListening(path)) return undefined
  return {
    create: async (options) =>
      await callAdminSocket(path, 'POST', '/keys', options) as { key: string, summary: KeySummary },
    list: async (after) =>
      await callAdminSocket(path, 'GET',
        `/keys${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`) as KeySummary[],
    find: async (id) =>
      (await callAdminSocket(path, 'GET', `/keys/${encodeURIComponent(id)}`) as { key: KeySummary | null }).key ??
        undefined,
    rotate: async (id, options) =>
      await callAdminSocket(path, 'POST', `/keys/${encodeURIComponent(id)}/rotate`, options) as { key: string,
        summary: KeySummary },
    revoke: async (id) =>
      (await callAdminSocket(path, 'POST', `/keys/${encodeURIComponent(id)}/revoke`, {}) as { revoked: boolean })
        .revoked
  }
}

/** Only connects to the socket, because any answer of the api could be long. */
async function isListening (path: string): Promise<boolean> {
  assertSocketPath(path)
  return await new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(false)
      else reject(error)
    })
  })
}

/** Like `callAdminSocket`; undefined when no api listens. */
export async function callAdminSocketIfThere (socketPath: string, method: string, path: string,
  body?: unknown): Promise<unknown> {
  assertSocketPath(socketPath)
  try {
    return await callAdminSocket(socketPath, method, path, body)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    throw error
  }
}

/**
 * Sends one request to the running api. Rejects with ENOENT or ECONNREFUSED when none listens, and with KeyInputError
 * when the api refuses the input.
 */
export async function callAdminSocket (socketPath: string, method: string, path: string,
  body?: unknown): Promise<unknown> {
  return await new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ socketPath, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const answer = JSON.parse(Buffer.concat(chunks).toString()) as { message?: string }
        if (response.statusCode === 200) resolve(answer)
        else {reject(
            new (response.statusCode === 400 ? KeyInputError : Error)(
              answer.message ?? `the api answered ${response.statusCode}`
            )
          )}
      })
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
