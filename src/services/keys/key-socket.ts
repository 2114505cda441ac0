import { chmod, rm } from 'node:fs/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import type { KeyService, NewKey } from './key-service.ts'
import { noteKeyChange, type KeyChange, type KeyChangeLog } from './note-key-change.ts'
import { KeyInputError } from './scopes.ts'
import { assertSocketPath } from './socket-path.ts'

/**
 * Serves key administration on a Unix socket that only this user can open. The api process owns the metadata, so a key
 * made through it works at once. `addRoutes` adds other requests of the command line.
 */
export async function serveKeySocket (
  path: string,
  keys: KeyService,
  log: KeyChangeLog,
  addRoutes: (app: FastifyInstance) => void = () => undefined
): Promise<{ close: () => Promise<void> }> {
  const note = (action: KeyChange['action'], key: KeyChange['key']) =>
    noteKeyChange(log, { action, key, by: 'command line' })
  const app: FastifyInstance = Fastify({ logger: false })
  app.setErrorHandler((error, _request, reply) => {
    reply.code(error instanceof KeyInputError ? 400 : 500).send({ message: (error as Error).message })
  })
  app.get<{ Querystring: { after?: string } }>('/keys', async ({ query }) => keys.list(query.after))
  app.get<{ Params: { id: string } }>('/keys/:id', async ({ params }) => ({ key: keys.find(params.id) ?? null }))
  app.post<{ Body: NewKey }>('/keys', async ({ body }) => {
    const issued = await keys.create(body)
    note('key_created', issued.summary)
    return issued
  })
  app.post<{ Params: { id: string }, Body: { overlapMs?: number } }>('/keys/:id/rotate', async ({ params, body }) => {
    const issued = await keys.rotate(params.id, body)
    note('key_rotated', issued.summary)
    return issued
  })
  app.post<{ Params: { id: string } }>('/keys/:id/revoke', async ({ params }) => {
    const revoked = await keys.revoke(params.id)
    const key = keys.find(params.id)
    if (revoked && key !== undefined) note('key_revoked', key)
    return { revoked }
  })
  addRoutes(app)
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
