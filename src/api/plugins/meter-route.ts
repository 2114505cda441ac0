import type { FastifyRequest, RouteOptions, onErrorHookHandler, preHandlerHookHandler, preValidationHookHandler } from 'fastify'
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
  const checked = (request: FastifyRequest): void => {
    const sinceMs = began.get(request)
    began.delete(request)
    if (sinceMs !== undefined) spend(request, sinceMs)
  }
  const validated: preHandlerHookHandler = (request, _reply, done) => {
    checked(request)
    done()
  }
  // A body that is refused is checked as well.
  const refused: onErrorHookHandler = (request, _reply, _error, done) => {
    checked(request)
    done()
  }
  route.preValidation = [...[route.preValidation ?? []].flat(), begin]
  route.onError = [...[route.onError ?? []].flat(), refused]
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
