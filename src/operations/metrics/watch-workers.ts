import { Counter, Gauge, type Registry } from 'prom-client'
import type { Logger } from 'pino'
import type { WorkerMessage } from '../../platform/queue/worker-message.ts'
import { watchEventLoop } from './watch-event-loop.ts'
import { WorkerNumbers } from './worker-numbers.ts'

type Figure = (message: WorkerMessage) => number | undefined

const figures: Array<{ name: string, help: string, of: Figure }> = [
  { name: 'tabcast_worker_slots', help: 'Slots of a worker.', of: ({ slots }) => slots },
  {
    name: 'tabcast_worker_slots_busy',
    help: 'Slots of a worker that compute, or are being started.',
    of: ({ slots, freeAny, freeSmall, draining }) => draining ? undefined : slots - freeAny - freeSmall
  },
  {
    name: 'tabcast_worker_runs',
    help: 'Runs under way in a worker, those that are being stored included.',
    of: ({ running }) => running.length
  },
  {
    name: 'tabcast_worker_resident_memory_bytes',
    help: 'Resident memory of a worker process.',
    of: ({ vitals }) => vitals?.residentBytes
  },
  {
    name: 'tabcast_worker_slots_resident_memory_bytes',
    help: 'Resident memory of the slot processes of a worker together.',
    of: ({ vitals }) => vitals?.slotsResidentBytes
  }
]

/**
 * Metrics that workers announce. A worker that is gone has no series. `worker` is a number that another worker may get
 * afterwards.
 */
export function watchWorkers (registry: Registry, workers: () => WorkerMessage[], log: Pick<Logger, 'info'>): void {
  const numbers = new WorkerNumbers()
  const numbered = (): Array<{ worker: string, message: WorkerMessage }> => {
    const messages = workers()
    const known = numbers.of(messages.map(({ workerId }) => workerId),
      (workerId, worker) => log.info({ workerId, worker }, 'number of a worker in the metrics'))
    return messages.map((message) => ({ worker: String(known.get(message.workerId)), message }))
  }

  registry.registerMetric(new Gauge({
    name: 'tabcast_workers',
    help: 'Workers that can be heard; draining ones take nothing new.',
    labelNames: ['state'],
    registers: [],
    collect () {
      const draining = workers().filter((message) => message.draining).length
      this.set({ state: 'draining' }, draining)
      this.set({ state: 'available' }, workers().length - draining)
    }
  }))
  for (const { name, help, of } of figures) {
    registry.registerMetric(new Gauge({
      name,
      help,
      labelNames: ['worker'],
      registers: [],
      collect () {
        this.reset()
        for (const { worker, message } of numbered()) {
          const figure = of(message)
          if (figure !== undefined) this.set({ worker }, figure)
        }
      }
    }))
  }
  registry.registerMetric(new Counter({
    name: 'tabcast_provider_requests_total',
    help: 'Requests of a worker to providers of covariates over the network.',
    labelNames: ['worker', 'provider', 'outcome'],
    registers: [],
    collect () {
      this.reset()
      for (const { worker, message } of numbered()) {
        for (const { provider, outcome, count } of message.vitals?.providerRequests ?? []) {
          this.inc({ worker, provider, outcome }, count)
        }
      }
    }
  }))
  watchEventLoop(registry, 'worker_', ['worker'],
    () =>
      numbered().flatMap(({ worker, message: { vitals } }) =>
        vitals?.eventLoop === undefined ? [] : [{ labels: { worker }, delays: vitals.eventLoop }]
      ))
}
