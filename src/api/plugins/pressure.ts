import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { TabcastError } from '../../errors.ts'

const sampleMs = 1000
const maxMeanDelayMs = 1000
const resolutionMs = 10

/**
 * Refuses with 503 while the event loop lags by more than a second, so that what is under way gets done. The probes are
 * answered all the same: a supervisor must not end a process for being busy.
 */
export function shedLoad (app: FastifyInstance): void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let isOverloaded = false
  const timer = setInterval(() => {
    isOverloaded = histogram.mean / 1e6 - resolutionMs > maxMeanDelayMs
    histogram.reset()
  }, sampleMs).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    histogram.disable()
    done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = isOverloaded && request.url !== '/livez' && request.url !== '/health'
    done(isRefused ? new TabcastError('server_overloaded', 'The service has more to do than it can answer in time.') : undefined)
  })
}
