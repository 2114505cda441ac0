import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { TabcastError } from '../../platform/errors.ts'

const resolutionMs = 10
/** A single long pause (start-up, garbage collection, a busy host) is no overload. */
const lateSamples = 3

/**
 * Refuses requests with 503 while the event loop keeps lagging by more than a second, so that work in progress gets
 * done. Probes are still answered, because a supervisor must not end a process for being busy.
 */
export function shedLoad (app: FastifyInstance, { sampleMs = 1000, maxMeanDelayMs = 1000 } = {}): void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let late = 0
  const timer = setInterval(() => {
    late = histogram.mean / 1e6 - resolutionMs > maxMeanDelayMs ? late + 1 : 0
    histogram.reset()
  }, sampleMs).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    histogram.disable()
    done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = late >= lateSamples && request.url !== '/livez' && request.url !== '/health'
    done(
      isRefused
        ? new TabcastError('server_overloaded', 'The service is too busy to answer in time.')
        : undefined
    )
  })
}
