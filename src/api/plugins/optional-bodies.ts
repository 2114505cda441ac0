import type { FastifyInstance } from 'fastify'
import { mayBeLeftOut } from '../describe-bodies.ts'

/**
 * A body of which no field has to be there may be left out, on every route. Has to be called before the routes are
 * added.
 */
export function fillLeftOutBodies (app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { body, consumes } = route.schema as { body?: object, consumes?: string[] } | undefined ?? {}
    if (body === undefined || consumes !== undefined || !mayBeLeftOut(body)) return
    route.preValidation = [(request, _reply, done) => {
      // The JSON text `null` is a body, and a wrong one.
      if (request.body === undefined) request.body = {}
      done()
    }, ...[route.preValidation ?? []].flat()]
  })
}
