import { chmod, rm } from 'node:fs/promises'
import { request } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { ConfigError } from '../config.ts'
import type { KeyService, NewKey } from './key-service.ts'
import type { KeySummary } from './key-record.ts'
import { KeyInputError } from './scopes.ts'

/** What the command line does with keys: through the running api's socket, or on the data folder itself. */
export interface KeyAdministration {
  create (options: NewKey): Promise<{ key: string, summary: KeySummary }>
  list (): Promise<KeySummary[]>
  rotate (id: string, options: { overlapMs?: number }): Promise<{ key: string, summary: KeySummary }>
  revoke (id: string): Promise<boolean>
}

/** Of the address of a Unix socket, on the system that takes least. */
const maxSocketPathBytes = 103

/** The system cuts a longer path off without a word, and the socket would lie somewhere else. Throws ConfigError. */
function assertSocketPath (path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes > maxSocketPathBytes) {
    throw new ConfigError(`TABCAST_DATA_DIR: the socket ${path} in it would have a path of ${bytes} bytes; at most ${maxSocketPathBytes} work, so use a folder with a shorter path`)
  }
}

/**
 * Serves key administration on a Unix socket that only this user can open: the api process owns the metadata, and a key
 * made through it works at once.
 */
export async function serveKeySocket (path: string, keys: KeyService): Promise<{ close: () => Promise<void> }> {
  const app: FastifyInstance = Fastify({ logger: false })
  app.setErrorHandler((error, _request, reply) => {
    reply.code(error instanceof KeyInputError ? 400 : 500).send({ message: (error as Error).message })
  })
  app.get('/keys', async () => keys.list())
  app.post<{ Body: NewKey }>('/keys', async ({ body }) => await keys.create(body))
  app.post<{ Params: { id: string }, Body: { overlapMs?: number } }>('/keys/:id/rotate', async ({ params, body }) => await keys.rotate(params.id, body))
  app.post<{ Params: { id: string } }>('/keys/:id/revoke', async ({ params }) => ({ revoked: await keys.revoke(params.id) }))
  assertSocketPath(path)
  await rm(path, { force: true })
  const mask = process.umask(0o177)
  try {
    await app.listen({ path })
  } finally {
    process.umask(mask)
  }
  await chmod(path, 0o600)
  return { close: () => app.close() }
}

/** Talks to the api that owns the data folder; undefined when no api listens on the socket. */
export async function connectKeySocket (path: string): Promise<KeyAdministration | undefined> {
  assertSocketPath(path)
  try {
    await call(path, 'GET', '/keys')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    throw error
  }
  return {
    create: async (options) => await call(path, 'POST', '/keys', options) as { key: string, summary: KeySummary },
    list: async () => await call(path, 'GET', '/keys') as KeySummary[],
    rotate: async (id, options) => await call(path, 'POST', `/keys/${encodeURIComponent(id)}/rotate`, options) as { key: string, summary: KeySummary },
    revoke: async (id) => (await call(path, 'POST', `/keys/${encodeURIComponent(id)}/revoke`, {}) as { revoked: boolean }).revoked
  }
}

async function call (socketPath: string, method: string, path: string, body?: unknown): Promise<unknown> {
  return await new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ socketPath, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const answer = JSON.parse(Buffer.concat(chunks).toString()) as { message?: string }
        if (response.statusCode === 200) resolve(answer)
        else reject(new KeyInputError(answer.message ?? `the api answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
