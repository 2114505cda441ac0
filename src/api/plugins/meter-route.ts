import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { TurnMeter } from '../../services/quotas/turn-meter.ts'
import { identityOf } from '../identity-of.ts'
import { payerOf } from '../payer-of.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request was admitted, and the api's work for it is charged to its tenant. */
    isMetered: boolean
    /** Charges the rest of this pass of the event loop to the tenant. Does nothing on a route of constant work. */
    meterPass(): void
    /** The same for a request without a key, whose tenant is known from what it names. */
    meterPassOf(tenant: string): void
    /**
     * Call it where admitted work continues. Throws rate_limited when the tenant is too far in debt by then, and
     * otherwise charges the rest of this pass to the tenant.
     */
    checkAndMeter(): void
  }
}

/** Adds the metering hooks to a route. */
export type MeterRoute = (route: RouteOptions, computes: boolean) => void

/**
 * Charges tenants for what the api process does for them: reading and checking bodies, handlers, serializing answers
 * and refusals. The work of workers is charged when they have answered. A tenant in debt is refused before its body is
 * read, which costs it nothing.
 */
export function meterRoutes (app: FastifyInstance, services: Pick<Services, 'budgets' | 'apiBudgets'>): MeterRoute {
  const meter = new TurnMeter((tenant, cpuMs) => services.apiBudgets.spend(tenant, 'api', cpuMs))
  const payer = (request: FastifyRequest): string => payerOf(request, identityOf(request).tenant)
  const begin = (request: FastifyRequest): void => {
    if (request.isMetered) meter.begin(payer(request))
  }
  app.decorateRequest('isMetered', false)
  app.decorateRequest('meterPass', function (this: FastifyRequest) {
    begin(this)
  })
  app.decorateRequest('meterPassOf', function (this: FastifyRequest, tenant: string) {
    meter.begin(payerOf(this, tenant))
  })
  app.decorateRequest('checkAndMeter', function (this: FastifyRequest) {
    if (this.isMetered) services.apiBudgets.checkTurn(payer(this))
    begin(this)
  })

  return (route, computes) => {
    const admit = (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
      const { tenant } = identityOf(request)
      const refusals = [computes ? services.budgets.refusal(tenant) : undefined,
        services.apiBudgets.refusal(payer(request))].filter((refusal) => refusal !== undefined)
      // The later one, because the tenant would be refused again before that.
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
    // Hooks in which a request continues after a wait: its body has arrived, or a hook or the handler has an answer or
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
