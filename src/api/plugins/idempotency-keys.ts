import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'

/**
 * Every POST refuses an `Idempotency-Key` that is none, those too that make nothing and so need no answer kept: whoever
 * sends one relies on it. Before the body is read, after access. Has to be called before `guardAccess` and the routes.
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
 * Undefined without the header. The draft of it (draft-ietf-httpapi-idempotency-key-header) has a quoted string; most
 * clients send it bare. Throws validation_error.
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
