import type { FastifyInstance } from 'fastify'
import { mayBeLeftOut } from '../describe-bodies.ts'

/** A body without required fields may be omitted, on every route. Call it before the routes are added. */
export function fillLeftOutBodies (app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { body, consumes } = route.schema as { body?: object, consumes?: string[] } | undefined ?? {}
    if (body === undefined || consumes !== undefined || !mayBeLeftOut(body)) return
    route.preValidation = [(request, _reply, done) => {
      // The JSON text `null` is a body, and an invalid one.
      if (request.body === undefined) request.body = {}
      done()
    }, ...[route.preValidation ?? []].flat()]
  })
}
