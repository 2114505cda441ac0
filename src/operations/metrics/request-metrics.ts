import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Labels requests with the template of their route, never with their address, which callers choose. */
export class RequestMetrics {
  readonly #duration: Histogram<'route' | 'method' | 'status'>
  readonly #inFlight: Gauge
  readonly #refused: Counter<'bound'>

  constructor (registry: Registry) {
    this.#duration = new Histogram({
      name: 'tabcast_http_request_duration_seconds',
      help:
        'Requests from their header to the end of their answer, by route template; status is a class such as 2xx, or ' +
        'aborted where the caller left first.',
      labelNames: ['route', 'method', 'status'],
      buckets,
      registers: [registry]
    })
    this.#inFlight = new Gauge({
      name: 'tabcast_http_requests_in_flight',
      help: 'Requests that are not answered to their end.',
      registers: [registry]
    })
    this.#refused = new Counter({
      name: 'tabcast_http_connections_refused_total',
      help: 'Connections that were closed at once, by the bound that refused them: all, or those of one address.',
      labelNames: ['bound'],
      registers: [registry]
    })
  }

  connectionRefused (bound: 'all' | 'address'): void {
    this.#refused.inc({ bound })
  }

  /** Call it before the routes are added. */
  watch (app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      const startMs = performance.now()
      this.#inFlight.inc()
      // A response that is cut off emits `close` but never `finish`.
      let isFinished = false
      reply.raw.once('finish', () => {
        isFinished = true
      }).once('close', () => {
        this.#inFlight.dec()
        this.#duration.observe({
          route: request.is404 ? 'unknown' : request.routeOptions.url ?? 'unknown',
          method: methods.has(request.method) ? request.method : 'other',
          status: isFinished ? `${Math.floor(reply.raw.statusCode / 100)}xx` : 'aborted'
        }, (performance.now() - startMs) / 1000)
      })
      done()
    })
  }
}
