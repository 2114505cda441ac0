import type { FastifyRequest, RouteOptions, preHandlerHookHandler, preValidationHookHandler } from 'fastify'
import type { Services } from '../services.ts'

/**
 * Has the caller's tenant pay for what this process itself does for a route: the check of the body, and the handler until it first waits for something.
 * Both hold the event loop, so the time that passes is processor time. What workers do is paid when they have answered.
 */
export function meterRoute (route: RouteOptions, services: Pick<Services, 'budgets'>, tenantOf: (request: FastifyRequest) => string): void {
  const began = new WeakMap<FastifyRequest, number>()
  const spend = (request: FastifyRequest, sinceMs: number): void => services.budgets.spend(tenantOf(request), 'api', performance.now() - sinceMs)
  // The last before the body is checked: a form is read in a hook of this kind.
  const begin: preValidationHookHandler = (request, _reply, done) => {
    began.set(request, performance.now())
    done()
  }
  const validated: preHandlerHookHandler = (request, _reply, done) => {
    spend(request, began.get(request) ?? performance.now())
    done()
  }
  route.preValidation = [...[route.preValidation ?? []].flat(), begin]
  route.preHandler = [validated, ...[route.preHandler ?? []].flat()]
  const { handler } = route
  route.handler = function (request, reply) {
    const startMs = performance.now()
    try {
      return handler.call(this, request, reply) as unknown
    } finally {
      spend(request, startMs)
    }
  }
}
