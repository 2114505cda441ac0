import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'

/**
 * Every POST refuses an invalid `Idempotency-Key`, even where nothing is created and no answer is saved, because a
 * client that sends one relies on it. The check runs after access and before the body is read. Call it before
 * `guardAccess` and the routes.
 */
export function checkIdempotencyKeys (app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (![route.method].flat().includes('POST')) return
    route.onRequest = [...[route.onRequest ?? []].flat(), (request, _reply, done) => {
      readIdempotencyKey(request)
      done()
    }]
  })
}

/**
 * undefined without the header. The draft (draft-ietf-httpapi-idempotency-key-header) has a quoted string; most clients
 * send it bare. Throws validation_error.
 */
export function readIdempotencyKey ({ headers }: FastifyRequest): string | undefined {
  const header = headers['idempotency-key']
  if (header === undefined) return undefined
  const text = [header].flat().join(', ')
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  const error = 'a key is 1 to 255 printable characters'
  throw new TabcastError('validation_error', undefined, {
    fields: [{ loc: ['header', 'Idempotency-Key'], msg: error, type: 'value_error', ctx: { error } }]
  })
}
