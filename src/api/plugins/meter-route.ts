import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { TurnMeter } from '../../services/quotas/turn-meter.ts'
import { identityOf } from '../identity-of.ts'
import { payerOf } from '../payer-of.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** It was let in, and what this process does for it is paid by its tenant. */
    isMetered: boolean
    /**
     * From here to the end of this turn of the event loop its tenant pays. Nothing happens on a route of constant work.
     */
    meterTurn(): void
    /** The same for a tenant that is known by what the request names: no key came with it. */
    meterTurnOf(tenant: string): void
    /**
     * The same before work that begins now. Throws rate_limited when others that came with the request have used too
     * much meanwhile.
     */
    takeTurn(): void
  }
}

/** Adds to a route the hooks that have its tenant pay. */
export type MeterRoute = (route: RouteOptions, computes: boolean) => void

/**
 * Has tenants pay for what this process itself does for them: reading and checking bodies, handlers, the writing of
 * answers and refusals. What workers do is paid when they have answered. A tenant in debt is refused before its body is
 * read, and that costs it nothing.
 */
export function meterRoutes (app: FastifyInstance, services: Pick<Services, 'budgets' | 'apiBudgets'>): MeterRoute {
  const meter = new TurnMeter((tenant, cpuMs) => services.apiBudgets.spend(tenant, 'api', cpuMs))
  const payer = (request: FastifyRequest): string => payerOf(request, identityOf(request).tenant)
  const begin = (request: FastifyRequest): void => {
    if (request.isMetered) meter.begin(payer(request))
  }
  app.decorateRequest('isMetered', false)
  app.decorateRequest('meterTurn', function (this: FastifyRequest) {
    begin(this)
  })
  app.decorateRequest('meterTurnOf', function (this: FastifyRequest, tenant: string) {
    meter.begin(payerOf(this, tenant))
  })
  app.decorateRequest('takeTurn', function (this: FastifyRequest) {
    if (this.isMetered) services.apiBudgets.checkTurn(payer(this))
    begin(this)
  })

  return (route, computes) => {
    const admit = (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
      const { tenant } = identityOf(request)
      const refusals = [computes ? services.budgets.refusal(tenant) : undefined,
        services.apiBudgets.refusal(payer(request))].filter((refusal) => refusal !== undefined)
      // Before the later of the two it would be refused again.
      const refusal = refusals.sort((a, b) => (b.retryAfterSeconds ?? 0) - (a.retryAfterSeconds ?? 0))[0]
      request.isMetered = refusal === undefined
      begin(request)
      done(refusal)
    }
    const beginHere = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
      begin(request)
      done()
    }
    route.onRequest = [...list(route.onRequest), admit]
    // Turns in which a request goes on after it has waited: its body has come, a hook or the handler has an answer or
    // an error.
    route.preValidation = [...list(route.preValidation), beginHere]
    route.preHandler = [...list(route.preHandler), beginHere]
    route.preSerialization = [...list(route.preSerialization), (request, _reply, payload, done) => {
      begin(request)
      done(null, payload)
    }]
    route.onError = [...list(route.onError), (request, _reply, _error, done) => {
      begin(request)
      done()
    }]
    route.onSend = [...list(route.onSend), (_request, _reply, payload, done) => {
      meter.end()
      done(null, payload)
    }]
  }
}

function list<T> (hooks: T | T[] | undefined): T[] {
  return [hooks ?? []].flat() as T[]
}
